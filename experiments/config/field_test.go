package config

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"contend/internal/input"

	"contend/netsim"
	"contend/router/topology"
)

// What a machine refuses is an error about a key, and says what would be right.
func TestMachineErrorsNameKeys(t *testing.T) {
	for _, k := range []struct {
		m         MachineSpec
		key, text string
	}{
		{MachineSpec{Topology: "tree", Arity: 4, Levels: 3, UpPorts: []int{7}}, "machine.up_ports",
			"machine.up_ports has 7: a router with 4 ports down has 1 to 4 ports up"},
		{MachineSpec{Topology: "tree", Arity: 4, Levels: 2, Nodes: 17}, "machine.nodes",
			"machine.nodes is 17: a 4-ary 2-tree has room for 1 to 16"},
		{MachineSpec{Topology: "mesh", Dims: []int{1 << 20, 1 << 20}}, "machine.dims",
			"machine.dims is [1048576 1048576] " +
				"with a concentration of 1: a machine has at most 16777216 nodes"},
		{MachineSpec{Topology: "mesh", Dims: []int{2}, ServiceRows: []int{0, 1}}, "machine.service_rows",
			"machine.service_rows leaves no router with a node: leave out a row"},
	} {
		_, err := NewMachine(&k.m)
		var bad *input.Error
		if !errors.As(err, &bad) || bad.Key != k.key || bad.Error() != k.text {
			t.Errorf("%+v: %v, want %s", k.m, err, k.text)
		}
	}
}

// Every parameter of a network has a key.
func TestFieldsHaveKeys(t *testing.T) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[netsim.Parameters]()) {
		if bad := RefuseConfig(&topology.ConfigError{Field: f.Name}); !f.Anonymous && bad.Key == f.Name {
			t.Errorf("%s has no key", f.Name)
		}
	}
	bad := RefuseConfig(fmt.Errorf("with more: %w", &topology.ConfigError{Field: "Engine",
		Problem: "is odd", Right: "take auto"}))
	if want := "network.engine is odd: take auto"; bad.Key != "network.engine" || bad.Error() != want {
		t.Errorf("%q about %s, want %q", bad, bad.Key, want)
	}
}
