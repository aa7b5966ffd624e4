package patterns

import (
	"testing"

	"contend/internal/must"
)

// Reference: Lo et al. (CIS-TR-94-11), App. A: the mean quota is "the number of
// messages sent in one iteration of the communication pattern for the average
// sized job", 9 x 9 on U[2,16], 8 x 8 where sizes are powers of two.
func TestQuotaOfTheAverageJob(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		want int64
	}{
		{"all-to-all", 81, 81 * 80},
		{"one-to-all", 81, 80},
		{"n-body", 81, 81 * (40 + 1)},
		{"fft", 64, 64 * 6},
		// 2·2·7·8 at stride 1, 2·2·3·4 at 2, twice each, and 2·2·1·2 at 4.
		{"multigrid", 64, 2*(224+48) + 8},
		// Stride 2 among 2x2x2 processes, then six neighbours in 4x4x4.
		{"multigrid by dimension", 64, 8*3 + 64*6},
	} {
		config := Config{Name: c.name}
		if c.name == "multigrid by dimension" {
			config = Config{Name: "multigrid", Grid: "cube", Cycle: "by-dimension"}
		}
		if got, err := MessagesPerIteration(config, c.n, nil); got != c.want || err != nil {
			t.Errorf("%s: %d, %v, want %d", c.name, got, err, c.want)
		}
	}
}

// Reference: Lo et al., sec. 4.2: all-to-all has O(n^2) simultaneous messages,
// one-to-all and n-body O(n); FFT sends O(n log n) messages and multigrid O(n).
func TestOrdersOfMagnitude(t *testing.T) {
	count := func(name string, n int) float64 {
		m := must.Have(MessagesPerIteration(Config{Name: name}, n, nil))
		return float64(m)
	}
	for n := 1024; n <= 1<<20; n *= 4 {
		for name, growth := range map[string]float64{"all-to-all": 16, "one-to-all": 4,
			"multigrid": 4, "n-body": 16} {
			if got := count(name, 4*n) / count(name, n); got < 0.98*growth || got > 1.1*growth {
				t.Errorf("%s: four times %d processes send %.3f times the messages, want about %v",
					name, n, got, growth)
			}
		}
		if got := count("multigrid", n) / float64(n); got > 11 {
			t.Errorf("multigrid: %.2f messages a process", got)
		}
	}
	for _, phase := range phasesOf(named("n-body", 50)) {
		if len(phase) != 50 {
			t.Errorf("n-body: %d messages at once, want n", len(phase))
		}
	}
}

// Reference: Leung et al. (CLUSTER 2002), sec. 4: the suite "contains all-to-all
// broadcast, all-pairs ping-pong (message sent in each direction), and ring
// communication", each repeated a hundred times, in jobs of 2, 5, 25 and 30.
func TestCplantSuiteOfTheTestStream(t *testing.T) {
	for _, n := range []int{2, 5, 25, 30} {
		want := int64(100 * (n*(n-1) + n*(n-1) + n))
		if got, err := MessagesPerIteration(Config{Name: "cplant-suite"}, n,
			nil); got != want || err != nil {
			t.Errorf("%d processes: %d, %v, want %d", n, got, err, want)
		}
	}
}
