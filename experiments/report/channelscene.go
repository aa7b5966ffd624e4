package report

import (
	"cmp"
	"fmt"
	"strconv"

	"contend/experiments/plot"

	"contend/internal/decimal"
	"contend/router/topology"
)

// channelLabels are the labels of the colours, by column of links.csv.
var channelLabels = map[string]string{
	"utilization_percent":   "Utilization (%)",
	"flits":                 "Flits",
	"held_cycles":           "Held (cycles)",
	"stalled_cycles":        "Stalled (cycles)",
	"waited_own_cycles":     "Waits for own job (cycles)",
	"waited_foreign_cycles": "Waits for other jobs (cycles)",
}

// channelScene draws the load of channels on the machine.
func channelScene(k *drawing) (plot.Drawable, error) {
	plan, err := k.plan()
	if err != nil {
		return nil, err
	}
	metric := k.metric()
	channels, when, err := k.channels(metric)
	if err != nil {
		return nil, err
	}
	m := plot.ChannelMap{Channels: channels, Label: channelLabels[metric], Log: k.figure.LogY,
		Subject: fmt.Sprintf("Load of channels (%s)", k.pointText()),
		About:   fmt.Sprintf("%s of the network channels %s. First replication. ", metric, when)}
	return m.Draw(plan.Machine), nil
}

// channels returns the network channels with a column of links.csv, or with their load in the
// bin of load.csv that holds the time of the figure.
func (k *drawing) channels(metric string) (list []plot.FloorChannel, when string, err error) {
	links, err := k.table("links", k.points[0], "link", "kind", "from_router", "from_port",
		"to_router", metric)
	if err != nil {
		return nil, "", err
	}
	number := func(i int, column string) int {
		n, _ := strconv.Atoi(links.Text(i, column))
		return n
	}
	for i := range links.Rows {
		if links.Text(i, "kind") == "network" {
			list = append(list, plot.FloorChannel{Link: links.Text(i, "link"),
				From: topology.Router(number(i, "from_router")),
				To:   topology.Router(number(i, "to_router")),
				Port: topology.Port(number(i, "from_port")), Value: links.Number(i, metric)})
		}
	}
	if len(list) == 0 {
		return nil, "", k.bad("its runs have no network channels",
			`run jobs with messages, job.run = "messages"`)
	}
	if !k.figure.Timed() {
		return list, "over the whole run", nil
	}
	when, err = k.loadsAt(list)
	return list, when, err
}

// loadsAt sets the values of channels to their loads at the time of the figure.
func (k *drawing) loadsAt(list []plot.FloorChannel) (when string, err error) {
	load, err := k.table("load", k.points[0], "time", "duration", "link", "utilization_percent")
	if err != nil {
		return "", err
	}
	busy, end := map[string]float64{}, 0.0
	for i := range load.Rows {
		end = max(end, load.Number(i, "time")+load.Number(i, "duration"))
	}
	at := k.figure.Moment(end)
	for i := range load.Rows {
		from := load.Number(i, "time")
		until := from + load.Number(i, "duration")
		if from <= at && at < until {
			busy[load.Text(i, "link")] = load.Number(i, "utilization_percent")
			when = fmt.Sprintf("from time %s to %s", decimal.Significant(from, 9),
				decimal.Significant(until, 9))
		}
	}
	if at >= end {
		return "", k.bad(fmt.Sprintf("no flit moves at time %g or later", at),
			fmt.Sprintf("give a time below %s", decimal.Significant(end, 6)))
	}
	for i := range list {
		list[i].Value = busy[list[i].Link]
	}
	return cmp.Or(when, "at a time at which no flit moves"), nil
}
