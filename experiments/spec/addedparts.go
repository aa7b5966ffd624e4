package spec

// OwnNetworkParts names the topology and the routing of a spec that are not built in.
func (s *Spec) OwnNetworkParts() (list []string) {
	list = s.addOwn(list, "topologies", s.Machine.Topology)
	return s.addOwn(list, "routings", s.routing())
}

// OwnParts names everything in a run of the spec that is not built in.
func (s *Spec) OwnParts() []string {
	list := s.OwnNetworkParts()
	for _, w := range s.sent() {
		list = s.addOwn(list, "patterns", w.Label())
	}
	list = s.addOwn(list, "allocators", s.Allocator.Name)
	return append(s.addOwn(list, "schedulers", s.Scheduler.Policy), s.Registry.ownMetrics()...)
}

// addOwn appends the part that a call names, if it is not built in.
func (s *Spec) addOwn(list []string, table, call string) []string {
	if _, _, plain := builtin().parametersOf(table, call); plain || call == "" {
		return list
	}
	return append(list, partOf[table]+call)
}

// partOf begins the name of an entry of a table.
var partOf = map[string]string{"topologies": "the topology ", "routings": "the routing ",
	"patterns": "the pattern ", "allocators": "the allocator ", "schedulers": "the policy "}

// OwnParts names everything in the registry that is not built in.
func (r *Registry) OwnParts() (list []string) {
	if r == nil {
		return nil
	}
	for _, e := range r.added() {
		list = append(list, partOf[e.table]+e.name)
	}
	return append(list, r.ownMetrics()...)
}

func (r *Registry) ownMetrics() (list []string) {
	for _, m := range r.registered().Metrics {
		if m.New != nil {
			list = append(list, "the metric "+m.Name)
		}
	}
	return list
}
