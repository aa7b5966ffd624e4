package sim

import (
	"contend/experiments/metrics"
	"contend/netsim"
)

// ChannelLoad is the load of a physical channel.
type ChannelLoad struct {
	metrics.Channel
	// Flits is the number of flits that were sent in the measurement window.
	Flits int64
	// Load is their number per cycle.
	Load float64
}

// channelMeter counts what each channel carries in a window.
type channelMeter []ChannelLoad

// newChannelMeter returns a meter of all channels of a network.
func newChannelMeter(net *netsim.Network) (m channelMeter) {
	for _, c := range metrics.Channels(net.Wiring()) {
		m = append(m, ChannelLoad{Channel: c})
	}
	return m
}

// begin starts the count.
func (m channelMeter) begin(net *netsim.Network) {
	for i := range m {
		m[i].Flits = -net.Usage(m[i].Link).Flits
	}
}

// end ends the count after a window of so many cycles.
func (m channelMeter) end(net *netsim.Network, window int64) {
	for i := range m {
		m[i].Flits += net.Usage(m[i].Link).Flits
		m[i].Load = float64(m[i].Flits) / float64(window)
	}
}
