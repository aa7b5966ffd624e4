package config

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/input"
	"contend/internal/quantity"
	"contend/netsim"
)

// specOf returns the spec with some keys set, in the order given: path, value, path, ...
func specOf(keys ...any) (Spec, *input.Error) {
	s := Defaults()
	for i := 0; i < len(keys); i += 2 {
		if err := s.Assign(keys[i].(string), keys[i+1]); err != nil {
			return s.Spec, err
		}
	}
	if err := s.Spec.Resolve(); err != nil {
		return s.Spec, err
	}
	s.Spec.Normalize()
	return s.Spec, s.Spec.Check()
}

// queuePairs returns keys with queues for destinations in front, and control with a congestion
// control too.
func queuePairs(keys ...any) []any {
	return append([]any{"network.source_queues", "destination"}, keys...)
}

func control(call string, keys ...any) []any {
	return append(queuePairs("network.congestion_control", call), keys...)
}

// A run in units and the run in numbers are one: they have the same hash.
func TestUnitsAndNumbersAreOneRun(t *testing.T) {
	traffic := []any{"workload.source", "traffic"}
	log := []any{"workload.source", "swf", "workload.trace", "x.swf"}
	cycle := []any{"network.cycle", "5.12 ns", "network.flit_bytes", int64(16)}
	for _, c := range []struct {
		base          []any
		units, number []any
	}{
		{cycle, []any{"network.routing_cycles", "102.4 ns"}, []any{"network.routing_cycles", int64(20)}},
		{cycle, []any{"network.link_cycles", "5.1 m"}, []any{"network.link_cycles", int64(5)}},
		{cycle, []any{"network.link_cycles", "25.6 ns"}, []any{"network.link_cycles", int64(5)}},
		{cycle, []any{"network.class_link_cycles", []any{"25.6 ns", "2.05 m"},
			"network.class_flit_cycles", []any{"25 Gb/s", "12.5 Gb/s"},
			"network.node_link_cycles", "51.2 ns"},
			[]any{"network.class_link_cycles", []any{int64(5), int64(2)}, "network.class_flit_cycles",
				[]any{int64(1), int64(2)}, "network.node_link_cycles", int64(10)}},
		{cycle, []any{"machine.dims", []any{int64(9)}, "network.class_link_cycles", "25.6 ns"},
			[]any{"machine.dims", []any{int64(9)}, "network.class_link_cycles", []any{int64(5)}}},
		{cycle, []any{"network.flit_cycles", "25 Gb/s"}, []any{"network.flit_cycles", int64(1)}},
		{cycle, []any{"network.flit_cycles", "3.125 GB/s"}, []any{}},
		{cycle, []any{"network.injection_flit_cycles", "12.5 Gb/s"},
			[]any{"network.injection_flit_cycles", 2.0}},
		{cycle, []any{"network.packet_flits", "4 KiB"}, []any{"network.packet_flits", int64(256)}},
		{cycle, []any{"job.flits", "1 MiB"}, []any{"job.flits", int64(65536)}},
		{cycle, []any{"job.compute_cycles", "1.2 us"}, []any{"job.compute_cycles", int64(234)}},
		{cycle, []any{"workload.interarrival.mean", "1.28 us"},
			[]any{"workload.interarrival.mean", 250.0}},
		{append(cycle, "job.cycles_per_second", 1e3),
			[]any{"workload.interarrival.mean", "5.12 ms"}, []any{"workload.interarrival.mean", 1e3}},
		{append(traffic, cycle...), []any{"workload.traffic_load", "0.625 GB/s"},
			[]any{"workload.traffic_load", 0.2}},
		{append(traffic, cycle...), []any{"workload.warmup_cycles", "1.024 ms"},
			[]any{"workload.warmup_cycles", int64(200000)}},
		{log, []any{"workload.shake", "3 h"}, []any{"workload.shake", 10800.0}},
		{append(log, "scheduler.policy", "cplant"), []any{"scheduler.poll_seconds", "2 min"},
			[]any{"scheduler.poll_seconds", int64(120)}},
		{nil, []any{"job.cycles_per_second", "1 GHz"}, []any{"job.cycles_per_second", 1e9}},
		{nil, []any{"job.pattern", "all-reduce-ring", "job.bytes", "1 MiB"},
			[]any{"job.pattern", "all-reduce-ring", "job.bytes", int64(1 << 20)}},
		{nil, []any{"network.cycle", "5120 ps"}, []any{"network.cycle", "0.00512 us"}},
		{append(log, cycle...), nil, []any{"job.cycles_per_second", 195312500.0}},
		{queuePairs(cycle...), []any{"network.congestion_control", "dcqcn:kmin=1 KB,kmax=20KB," +
			"cnp_cycles=51.2us,alpha_cycles=0.0512 ms,timer_cycles=9999,counter_flits=1 MB," +
			"additive=25 Mb/s,hyper=0.02"},
			[]any{"network.congestion_control", "dcqcn:kmin=63,kmax=1250,cnp_cycles=10000," +
				"alpha_cycles=10000,timer_cycles=9999,counter_flits=62500,hyper=0.02"}},
		// A queue may be the time in which a node sends it: 16 B in two cycles of 5.12 ns.
		{queuePairs(append(cycle, "network.node_flit_cycles", int64(2))...),
			[]any{"network.congestion_control", "dcqcn:kmin=1.024us,kmax=10.24 us,additive=25 Mb/s"},
			[]any{"network.congestion_control", "dcqcn:kmin=100,kmax=1000,additive=0.002"}},
		{queuePairs(append(cycle, "network.flit_cycles", "12.5 Gb/s")...),
			[]any{"network.congestion_control", "dcqcn:kmin=1.024us,kmax=10.24 us"},
			[]any{"network.congestion_control", "dcqcn:kmin=100,kmax=1000"}},
		{queuePairs(append(cycle, "network.injection_flit_cycles", 4.0)...),
			[]any{"network.congestion_control", "dcqcn:kmin=1.024us,kmax=10.24 us,hyper=62.5 Mb/s"},
			[]any{"network.congestion_control", "dcqcn:kmin=50,kmax=500"}},
		{queuePairs(cycle...), []any{"network.congestion_control", "ib-cca:256 B,ccti_timer=1.024 ms"},
			[]any{"network.congestion_control", "ib-cca:threshold=16,ccti_timer=200000"}},
		{queuePairs("network.flit_bytes", int64(32)),
			[]any{"network.congestion_control", "throttle:outstanding=1 KiB"},
			[]any{"network.congestion_control", "throttle:32"}},
	} {
		// Units before and after the keys that say what they are.
		first, err1 := specOf(append(append([]any{}, c.units...), c.base...)...)
		last, err2 := specOf(append(append([]any{}, c.base...), c.units...)...)
		want, err3 := specOf(append(append([]any{}, c.base...), c.number...)...)
		if err1 != nil || err2 != nil || err3 != nil {
			t.Errorf("%v: %v, %v, %v", c.units, err1, err2, err3)
			continue
		}
		if first.Hash() != want.Hash() || last.Hash() != want.Hash() {
			t.Errorf("%v:\n%s\n%s\nwant\n%s", c.units, first.Canonical(), last.Canonical(),
				want.Canonical())
		}
	}
	given, err := specOf(control("throttle:1 KiB", "network.flit_bytes", int64(32))...)
	k, _ := FindKey("network.flit_bytes")
	if err != nil || k.Idle(&given) != "" {
		t.Errorf("1 KiB: %v, %q", err, k.Idle(&given))
	}
	// A size needs network.flit_bytes alone, which is then no part of the run.
	given, err = specOf("job.flits", "64 B", "network.flit_bytes", int64(16))
	plain, _ := specOf("job.flits", int64(4))
	if err != nil || given.Hash() != plain.Hash() || k.Idle(&given) != "" || k.Idle(&plain) == "" {
		t.Errorf("64 B: %v, %s, %q", err, given.Canonical(), k.Idle(&given))
	}
}

func TestUnitsThatAreRefused(t *testing.T) {
	cycle := []any{"network.cycle", "5.12 ns", "network.flit_bytes", int64(16)}
	for _, c := range []struct {
		keys []any
		want string
	}{
		{[]any{"network.routing_cycles", "90 ns"}, `network.routing_cycles is "90 ns", and a cycle ` +
			`has no length: set network.cycle, the length of a network cycle, such as "1 ns", or ` +
			`give the number of cycles`},
		{append(cycle, "network.routing_cycles", "100 ns"), `network.routing_cycles is "100 ns", ` +
			`which is 19.53 cycles: give a whole number of cycles within 1%; 20 is 102.4 ns`},
		{append(cycle, "network.flit_cycles", "100 Gb/s"), `network.flit_cycles is "100 Gb/s", which ` +
			`is 0.25 cycles: give a whole number of cycles within 1%; 1 is 3.125 GB/s`},
		{append(cycle, "job.flits", "100 B"), `job.flits is "100 B", which is 6.25 flits: give a ` +
			`whole number of flits within 1%; 6 is 96 B`},
		{append(cycle, "network.link_cycles", "1 s"), `network.link_cycles is "1 s", which is ` +
			`195312500 cycles: give what is from 1 to 65535 cycles`},
		{append(cycle, "job.flits", "5 ns"), `job.flits is "5 ns", a time: give a size such as "64 B"`},
		{append(cycle, "network.routing_cycles", "5 m"), `network.routing_cycles is "5 m", a length ` +
			`of cable: give a time such as "1.2 us"; minutes are min`},
		{append(cycle, "network.flit_cycles", "0 Gb/s"), `network.flit_cycles is "0 Gb/s": give a ` +
			`rate such as "100 Gb/s" or a time such as "1.2 us"`},
		{append(cycle, "job.compute_cycles", "2.5 Gflop/s"), `job.compute_cycles is "2.5 Gflop/s", a ` +
			`rate of floating-point operations: give a time such as "1.2 us"`},
		{append(cycle, "network.class_link_cycles", []any{"25.6 ns", "90 ns"}),
			`network.class_link_cycles[1] is "90 ns", which is 17.58 cycles: give a whole ` +
				`number of cycles within 1%; 18 is 92.16 ns`},
		{append(cycle, "network.class_flit_cycles", []any{"12.5 Gb/s", "5 m"}),
			`network.class_flit_cycles[1] is "5 m", a length of cable: give a rate such as "100 Gb/s" or ` +
				`a time such as "1.2 us"; minutes are min`},
		{append(cycle, "network.class_link_cycles", []any{"25.6 ns", int64(3)}),
			`network.class_link_cycles[0] is the string "25.6 ns": give an integer from 0 to 65535`},
		{append(cycle, "machine.dims", []any{"16 ns"}),
			`machine.dims[0] is the string "16 ns": give an integer at least 1`},
		{[]any{"network.cycle", int64(5)}, `network.cycle is 5: give a string`},
		{[]any{"network.cycle", "5 m"}, `network.cycle is "5 m", a length of cable: give a time with ` +
			`a unit above 0, such as "5.12 ns"`},
		{[]any{"network.cycle", "0 s"}, `network.cycle is "0 s": give a time with a unit above 0, ` +
			`such as "5.12 ns"`},
		{[]any{"job.run", "fixed", "workload.service.mean", "1 h"}, `workload.service.mean is "1 h", ` +
			`and a time unit of the workload has no length: give a plain number, or with job.run = ` +
			`messages set network.cycle, the length of a network cycle, such as "1 ns"`},
		{append(cycle, "workload.source", "swf", "job.cycles_per_second", 2e8),
			`job.cycles_per_second is 2e+08, and a network.cycle of 5.12 ns makes it 1.953125e+08: ` +
				`leave it out; network.cycle says how many cycles a second of the log has`},
		{append(cycle, "network.input_speedup", "64 B"),
			`network.input_speedup is the string "64 B": give an integer from 0 to 64`},
		{control("dcqcn:cnp_cycles=50us"), `dcqcn:cnp_cycles is "50 us", and a cycle has no length: ` +
			`set network.cycle, the length of a network cycle, such as "1 ns", or give the number of ` +
			`cycles`},
		{control("dcqcn:cnp_cycles=5KB"), `dcqcn:cnp_cycles is "5 KB", a size: give a time such as ` +
			`"1.2 us"`},
		{control("dcqcn:kmin=5 Gb/s"), `dcqcn:kmin is "5 Gb/s", a rate: give a size such as "64 B" or a ` +
			`time such as "1.2 us"`},
		{control("throttle:outstanding=5 kb"), `throttle:outstanding is the string "5 kb": "kb" is no ` +
			`unit, did you mean kB or KB or kbit?: give an integer from 1 to 1000000000, or a size ` +
			`such as "64 B"`},
		{control("ib-cca:ccti_timer=3 ns", cycle...), `ib-cca:ccti_timer is "3 ns", which is 0.5859 ` +
			`cycles: give a whole number of cycles within 1%; 1 is 5.12 ns`},
		{control("ib-cca:ccti_timer=0 s", cycle...), `ib-cca:ccti_timer is "0 s", which is 0 cycles: ` +
			`give what is from 1 to 1000000000 cycles`},
		{control("dcqcn:least=100 Gb/s", cycle...), `dcqcn:least is "100 Gb/s", which is 4 of the link: ` +
			`give what is from 1e-6 to 1 of the link`},
		{control("dcqcn", "network.cycle", "1 fs"), `dcqcn:kmax is "40 us", which is ` +
			`40000000000 flits: give what is from 0 to 1000000000 flits`},
	} {
		_, err := specOf(c.keys...)
		if err == nil || err.Error() != c.want {
			t.Errorf("%v:\n%v\nwant\n%s", c.keys, err, c.want)
		}
	}
}

// Any time that a key takes is off by at most a hundredth, any other is refused; and the time that
// the error names fits.
func TestRoundingIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cycle := rapid.Int64Range(1, 20_000).Draw(t, "cycle in ps")
		time := rapid.Int64Range(1, 1_000_000).Draw(t, "time in ps")
		keys := []any{"network.cycle", fmt.Sprintf("%d ps", cycle),
			"network.link_cycles", fmt.Sprintf("%d ps", time)}
		s, err := specOf(keys...)
		exact := float64(time) / float64(cycle)
		near := (2*time + cycle) / (2 * cycle)
		off := max(near*cycle-time, time-near*cycle)
		fits := 100*off <= time && exact >= 0.5 && exact < 65535.5
		if fits != (err == nil) {
			t.Fatalf("%v are %v cycles: %v", keys, exact, err)
		}
		if err == nil {
			if s.Network.LinkCycles != int(math.Round(exact)) {
				t.Fatalf("%v are %d cycles", keys, s.Network.LinkCycles)
			}
			return
		}
		_, proposal, ok := strings.Cut(err.Right, "within 1%; ")
		if !ok {
			return
		}
		n, whole, _ := strings.Cut(proposal, " is ")
		keys[3] = whole
		if s, again := specOf(keys...); again != nil || n != fmt.Sprint(s.Network.LinkCycles) {
			t.Fatalf("%v: %s is %d cycles, %v", err, whole, s.Network.LinkCycles, again)
		}
	})
}

// A number of any key, written in units, is that number again.
func TestNumbersInUnitsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cycle := fmt.Sprintf("%d ps", rapid.Int64Range(1, 1_000_000).Draw(t, "cycle"))
		bytes := rapid.Int64Range(1, 300).Draw(t, "flit")
		path := rapid.SampledFrom([]string{"network.routing_cycles", "network.link_cycles",
			"network.flit_cycles", "network.packet_flits", "job.flits", "job.compute_cycles",
			"network.injection_flit_cycles"}).Draw(t, "key")
		n := rapid.Int64Range(1, 60_000).Draw(t, "number")
		base := []any{"network.cycle", cycle, "network.flit_bytes", bytes}
		plain, err := specOf(append(base, path, n)...)
		if err != nil {
			t.Fatal(err)
		}
		k, _ := FindKey(path)
		q, ok := plain.InUnits(&k)
		if !ok {
			t.Fatalf("%s = %d has no unit", path, n)
		}
		again, err := specOf(append(base, path, q.Format())...)
		_, exact := q.Value.FloatPrec()
		if off := again.Network.InjectionFlitCycles/float64(n) - 1; err == nil && !exact &&
			path == "network.injection_flit_cycles" && math.Abs(off) < 1e-9 {
			return // a rate whose number has no end
		}
		if err != nil || again.Hash() != plain.Hash() {
			t.Fatalf("%s = %d is %s, read as %s: %v", path, n, q.Text, k.Format(&again), err)
		}
	})
}

// Conversions are exact: forth and back is the same rational number.
func TestConversionsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := unitConversions[rapid.SampledFrom([]string{"cycles", "s", "time units", "flits",
			"bytes", "flits/node/cycle", "cycles/s", netsim.OfLink}).Draw(t, "unit")]
		list = append(list, rateInCycles, cableInCycles, timeInFlits)
		c := rapid.SampledFrom(list).Draw(t, "conversion")
		draw := func(name string) *big.Rat {
			return big.NewRat(rapid.Int64Range(1, 1e12).Draw(t, name),
				rapid.Int64Range(1, 1e12).Draw(t, name+" denominator"))
		}
		value, by := draw("value"), scale{draw("cycle"), draw("flit"), draw("time unit"),
			draw("link")}
		q := c.quantity(c.number(value, by), by)
		if q.Kind != c.kind || q.Value.Cmp(value) != 0 {
			t.Fatalf("%v became %v", value, q.Value)
		}
	})
}

// Every key with a unit that has conversions takes the example of each kind, and says so.
func TestEveryKindIsTaken(t *testing.T) {
	kinds := map[quantity.Kind]bool{}
	for _, k := range Keys() {
		for _, kind := range k.Takes() {
			kinds[kind] = true
			s := Defaults()
			if err := s.Assign(k.Path, kind.Example()); err != nil {
				if kind == quantity.Frequency && strings.Contains(err.Problem, "GHz") {
					t.Errorf("%s: %v", k.Path, err)
				} else if !strings.Contains(err.Right, "from") {
					t.Errorf("%s does not take %s: %v", k.Path, kind.Example(), err)
				}
			}
		}
	}
	for _, kind := range quantity.Kinds() {
		if !kinds[kind] && kind != quantity.FlopRate {
			t.Errorf("no key takes %s", kind.Name())
		}
	}
}
