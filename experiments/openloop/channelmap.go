package openloop

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments/plot"
	"contend/experiments/sim"

	"contend/experiments/config"
	"contend/internal/decimal"
	"contend/internal/input"
)

// CheckMap returns an error if the configuration has more than one network, traffic or load,
// of which a map of channels shows one, or if the name of its file is wrong.
func (c *NetConfig) CheckMap(file string) error {
	bad := func(right, problem string, args ...any) error {
		e := input.Bad("", right, problem, args...)
		e.Where = "--channel-map " + file
		return e
	}
	_, err := mapFormat(file)
	switch {
	case err != nil:
		return bad("end the name in ."+strings.Join(plot.Formats(), ", ."), "%v", err)
	case len(c.Networks) > 1:
		return bad("choose one, such as --set machine.dims=[8,8]", "a map shows one network, and there "+
			"are %d", len(c.Networks))
	case len(c.Traffic) != 1:
		return bad("choose one, such as --traffic uniform", "a map shows one traffic, and there are %d",
			len(c.Traffic))
	case len(c.Loads) != 1:
		return bad("choose one, such as --loads 0.1", "a map shows one load, and there are %d",
			len(c.Loads))
	}
	return nil
}

// mapFormat returns the format of a file by the end of its name.
func mapFormat(file string) (string, error) {
	format := strings.TrimPrefix(filepath.Ext(file), ".")
	if !slices.Contains(plot.Formats(), format) {
		return "", fmt.Errorf("the format %q is unknown", format)
	}
	return format, nil
}

// WriteChannelMap draws the load of each network channel of a point on its machine, and writes
// the loads of all channels as CSV beside it.
func WriteChannelMap(file string, plan *config.Plan, p *sim.LoadPoint) error {
	format, err := mapFormat(file)
	if err != nil {
		return err
	}
	m := plot.ChannelMap{Label: "load (flits per cycle)",
		Subject: fmt.Sprintf("Load of channels under %s traffic", p.Traffic),
		About: fmt.Sprintf("Machine: %s %s. Flits per cycle of the network channels at an offered load "+
			"of %s flits per node and cycle, of which %s were accepted. First replication. ", p.Topology,
			p.Dims, decimal.Number(p.Offered), decimal.Significant(p.Accepted, 4))}
	if p.Saturated {
		m.About += "The network is saturated. "
	}
	for _, c := range p.Channels {
		if c.Kind == "network" {
			m.Channels = append(m.Channels, plot.FloorChannel{Link: fmt.Sprint(c.Link), From: c.From,
				To: c.To, Port: c.FromPort, Value: c.Load})
		}
	}
	if len(m.Channels) == 0 {
		return input.Bad("", "take a machine of several routers", "the machine has no network "+
			"channels to draw")
	}
	base := strings.TrimSuffix(file, filepath.Ext(file))
	if err := plot.Save(m.Draw(plan.Machine), base, []string{format}); err != nil {
		return err
	}
	table := func(w io.Writer) error { return WriteChannelsCSV(w, p.Channels) }
	return input.WriteFileWith(base+".csv", table)
}
