// Package config says what one run is.
//
// A Spec is a run as a study writes it: every key with its value. A Plan is the same run decoded:
// it has a built machine and the configurations of other packages. Spec.Plan decodes a Spec and
// refuses values that do not go together. Packages below this one do not name keys: if such a
// package refuses a value, its error names a field, and config puts the key of the field before
// it.
//
// A key is one row of the table (table*.go): its path, the field of the spec that holds it,
// bounds, the default, the unit and the quantities that it takes, when it acts, whether other keys
// depend on it, and its text. Keys that another package acts on have bounds and defaults there:
// those of [network] are the tags of netsim.Parameters, which the section embeds.
//
// # A key on its way
//
// A study has network.packet_flits = "4 KiB", network.flit_bytes = 64 and network.cycle = "2 ns".
//
//	row      FindKey returns the row of the path. Its field is &spec.Network.PacketFlits, its unit
//	         flits; init took Min 1, Max 65535 and Default 8 from the tag of the field.
//	value    Settings.Assign finds a text where a number is due. Flits take sizes, so
//	         Key.parseQuantity reads 4096 bytes, and Spec.Given keeps them: how many flits they are
//	         depends on another key, which an axis may still set. A plain 64 would go through
//	         Key.convert, which checks the bounds, and Key.store at once.
//	number   Spec.Resolve divides by the bytes of a flit and stores 64. A value that is off by more
//	         than 1%, or out of bounds, is refused here.
//	acting   The condition of the row is messages: with job.run = "fixed" Key.Idle says that the key
//	         "acts with job.run = messages, and job.run is fixed", Spec.Normalize resets it, and
//	         no hash depends on it.
//	text     Spec.Canonical has the line "network.packet_flits = 64", of which the hash is made.
//	plan     Spec.Check compares it with other keys; Spec.networkPlan copies netsim.Parameters as a
//	         whole into Plan.Network, from which package sim makes the network.
//
// A new key of [network] that is a number or a choice of netsim is a field of netsim.Parameters,
// or of router.Rules, and a row.
//
// # Reading order
//
// Files use what files before them declare, with few exceptions: values, registry, lookup, mix,
// rows, spec; keys, units, convert; machine, constructors, patterns, routedmachine; facts,
// conditions; the rows in tableworkload, tablejob, tablenetwork, tableruns; settings, quantities,
// canonical; check, plan, decode; logs, builtin.
package config
