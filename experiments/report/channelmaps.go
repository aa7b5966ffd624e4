package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/report/floor"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/netsim"

	"contend/internal/decimal"
	"contend/router/topology"
)

// channelKinds are the kinds of figures of the channels of a machine.
var channelKinds = []kind{
	{name: study.ChannelLoadKind, draw: channelScene},
	{name: study.WaitChannelsKind, draw: interferenceChannels},
}

// channelLabels are the labels of the scale of colours, by column of links.csv.
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
	m := floor.ChannelMap{Channels: channels, Label: channelLabels[metric], Log: k.figure.LogY,
		Subject: fmt.Sprintf("Load of channels (%s)", k.pointText()),
		About: fmt.Sprintf("%s of the network channels %s. First replication. ",
			channelLabels[metric], when)}
	return m.Drawable(plan.Machine), nil
}

// channels returns the network channels with a column of links.csv, or with their load in the
// bin of load.csv that holds the time of the figure.
func (k *drawing) channels(metric string) (list []floor.Channel, when string, err error) {
	links, err := k.table("links", k.points[0], "link", "kind", "from_router", "from_port",
		"to_router", metric)
	if err != nil {
		return nil, "", err
	}
	for i := range links.Rows {
		if links.Text(i, "kind") == "network" {
			c := floorChannel(links, i)
			c.Value = links.Number(i, metric)
			list = append(list, c)
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

// floorChannel returns the channel that a row of a table names.
func floorChannel(t *tables.Part, row int) floor.Channel {
	return floor.Channel{Link: t.Text(row, "link"),
		From: topology.Router(t.Number(row, "from_router")),
		To:   topology.Router(t.Number(row, "to_router")),
		Port: topology.Port(t.Number(row, "from_port"))}
}

// loadsAt sets the values of channels to their loads at the time of the figure, and returns the bin
// of load.csv that holds that time in words.
func (k *drawing) loadsAt(list []floor.Channel) (when string, err error) {
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

// interferenceChannels draws how long packets waited for other jobs at each channel of the machine,
// those of all jobs or of one.
func interferenceChannels(k *drawing) (plot.Drawable, error) {
	list, metric, err := k.waitsAt()
	if err != nil {
		return nil, err
	}
	plan, err := k.plan()
	if err != nil {
		return nil, err
	}
	channels, job := map[string]*floor.Channel{}, k.figure.Job
	net, err := netsim.New(plan.Network)
	if err != nil {
		return nil, err
	}
	for _, c := range metrics.Channels(net.Wiring()) {
		if l := strconv.Itoa(int(c.Link)); c.Kind == "network" {
			channels[l] = &floor.Channel{Link: l, From: c.From, To: c.To, Port: c.FromPort}
		}
	}
	whose, sum := "jobs", 0.0
	if job > 0 {
		whose = fmt.Sprintf("job %d", job)
	}
	for _, w := range list {
		c := channels[w.channel.Link]
		if c == nil || !w.foreign() || job > 0 && w.job != job {
			continue
		}
		c.Value += w.cycles
		sum += w.cycles
	}
	if sum == 0 {
		return nil, k.bad(fmt.Sprintf("no packet of %s waited for another job on a network channel",
			whose),
			"choose a job or a point that shares channels")
	}
	m := floor.ChannelMap{Label: "Waits for other jobs (cycles)", Log: k.figure.LogY,
		Subject: fmt.Sprintf("Where %s waited for others (%s)", whose, k.pointText()),
		About: fmt.Sprintf("Cycles in which ready head flits of %s %s other jobs, by network channel, "+
			"over the whole run. First replication. ", whose, waitLabels[metric])}
	for _, link := range slices.SortedFunc(maps.Keys(channels), func(a, b string) int {
		return cmp.Or(len(a)-len(b), cmp.Compare(a, b))
	}) {
		m.Channels = append(m.Channels, *channels[link])
	}
	return m.Drawable(plan.Machine), nil
}
