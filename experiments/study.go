package experiments

import (
	"slices"
	"strconv"
	"strings"

	"contend/experiments/spec"
)

// Study is a base spec, the axes along which it varies, and what to draw from
// the results. Fields with a key tag are what its TOML may hold beside the
// sections of a spec.
type Study struct {
	Name  string `key:"name" doc:"name of the study and of its output folder"`
	Title string `key:"title" doc:"one line"`
	Cites string `key:"cites" doc:"the paper, table or figure it reproduces"`
	Doc   string `key:"doc" doc:"what it does and why it is set up this way"`
	// Primary are the metrics whose precision decides on replications.
	Primary []string `key:"primary" doc:"metrics that must reach runs.max_relative_error; default finish_time"`

	Base spec.Spec
	Runs spec.RunsSpec

	Variants   []Variant   `key:"variants" doc:"values of the axis variant, each of which may set several keys"`
	Axes       []Axis      `key:"axes" doc:"keys that vary: the points of the study are all combinations"`
	Overrides  []Override  `key:"overrides" doc:"keys to set at some of the points"`
	Quick      Quick       `key:"quick" doc:"what --quick changes"`
	Table      TableSpec   `key:"table" doc:"the table of results"`
	Figures    []Figure    `key:"figures" doc:"the figures"`
	BreakEvens []BreakEven `key:"break_even" doc:"from which value of a key on something pays"`
	Published  Published   `key:"published" doc:"figures a paper printed for the same points"`
	Tolerances []Tolerance `key:"tolerances" doc:"rules of contend compare"`
	Notes      []string    `key:"notes" doc:"what differs from the paper, and why"`
	Inputs     []string    `key:"inputs" doc:"which logs and machines were taken where the study leaves that open; written by a run"`
	// Changed lists the flags that made the study another than the one whose
	// figures were published.
	Changed []string `key:"changed" doc:"flags that changed the study; written by the program"`

	// Selected are flags that left some of its points out.
	Selected []string `key:"selected" doc:"flags that left out points; written by the program"`

	// Remarks are for the user: what flags made of the study.
	Remarks []string

	given   []given
	flagged bool            // flags have changed the study
	acting  map[string]bool // keys that act at some point; nil where unknown
}

// Axis is a key and the values it takes.
type Axis struct {
	Key    string `key:"key" doc:"any key that belongs to a run, a shorthand, or variant"`
	Values []any  `key:"values" doc:"its values"`

	where string // the flag that gave it; "" for the study's TOML
}

// Variant is a value of the axis variant: a name for tables and figures, which
// is no part of a run's spec, and what it stands for.
type Variant struct {
	Name string         `key:"name" doc:"its name in axes, tables and figures"`
	Set  map[string]any `key:"set" doc:"keys with their values; none: the base as it is"`
}

// Override sets keys at the points where all keys of When have the value given,
// or one of the list given. It comes after the axes; later ones win.
type Override struct {
	When map[string]any `key:"when" doc:"axis keys with a value, or a list of values"`
	Set  map[string]any `key:"set" doc:"keys with their values"`
}

// Quick is the study's small version: keys set at all points, whatever variants
// and overrides say, and axes replaced.
type Quick struct {
	Set  map[string]any `key:"set" doc:"keys with their values"`
	Axes []Axis         `key:"axes" doc:"axes that replace those of the same key"`
	// Metrics leaves out what cannot stand beside the published figures.
	Metrics []string `key:"metrics" doc:"columns of the table, in place of table.metrics"`
}

// TableSpec says what the table holds: a row per point, a column per metric.
type TableSpec struct {
	Metrics  []string `key:"metrics" doc:"columns; default the primary metrics"`
	Keys     []string `key:"keys" doc:"keys whose values stand beside those of the axes"`
	Relative string   `key:"relative_to" doc:"value of an axis, the last that has it: adds the first primary metric divided by that at this value"`
}

// Figure describes one figure.
type Figure struct {
	Name        string         `key:"name" doc:"file name"`
	Title       string         `key:"title" doc:"caption"`
	Kind        string         `key:"kind" doc:"bars, lines, scatter: a mark for each job of the first replication, or sizes: the gain over relative_to by size of the jobs, in percent, or with the metric jobs their number"`
	X           string         `key:"x" doc:"axis key along the abscissa, or of the groups of bars; of sizes, size or rank, by number of jobs; of scatter a column of jobs.csv"`
	Series      string         `key:"series" doc:"axis key that tells lines or bars apart; none: there is one of them"`
	Panels      []string       `key:"panels" doc:"axis keys, or one: a panel for each value, or each combination of them, side by side with the same axes"`
	Metric      string         `key:"metric" doc:"what is drawn; of scatter a column of jobs.csv"`
	Relative    string         `key:"relative_to" doc:"value of the series that the metric is divided by"`
	Gain        bool           `key:"gain" doc:"of relative_to: draw by how many percent the metric is less than there"`
	XScale      float64        `key:"x_scale" doc:"of lines and scatter: numbers along the abscissa are multiplied by it, to change their unit; 0: they are not"`
	SeriesScale float64        `key:"series_scale" doc:"the same of names of lines or bars that are numbers"`
	Processors  int            `key:"processors" doc:"of scatter: draw jobs of so many processors only; 0: all"`
	Where       map[string]any `key:"where" doc:"points to draw: axis keys with a value or a list of values"`
	XLabel      string         `key:"x_label" doc:"label of the abscissa"`
	YLabel      string         `key:"y_label" doc:"label of the ordinate"`
	LogX        bool           `key:"log_x" doc:"logarithmic abscissa"`
	LogY        bool           `key:"log_y" doc:"logarithmic ordinate"`
	Published   bool           `key:"published" doc:"mark the published figures too"`
}

// Published are printed figures as CSV: a header of keys and metric names, a
// row per point. A column METRIC_error has the error the paper states. Lines
// that begin with # are remarks.
type Published struct {
	File string `key:"file" doc:"CSV file beside the study, or one that is built in"`
	CSV  string `key:"csv" doc:"the CSV itself"`
	// Program is whose figures they are where no paper printed them: they are
	// judged like others, and not counted among printed numbers.
	Program string `key:"program" doc:"the program whose figures they are, if no paper printed them"`
	// Elsewhere are rows that only divide others here.
	Elsewhere map[string]any `key:"elsewhere" doc:"rows that another study has as its own: others are divided by them, none is judged or counted"`

	from string // the file that was read
}

// Tolerance is one rule of contend compare.
type Tolerance struct {
	Rule     string         `key:"rule" doc:"ratio: measured over published; difference: measured less published; order: Kendall's tau of the order; ranking: what is measured does not fall along a list, whatever is published"`
	Metric   string         `key:"metric" doc:"what is compared"`
	Within   float64        `key:"within" doc:"of ratio and difference: how far from 1 or 0 a cell may be, beside half a unit of the last digit printed and the error stated for it; of ranking: the part by which one may lie below the one before"`
	Interval bool           `key:"interval" doc:"of ratio and difference: half of the measured interval is added to within"`
	Offset   float64        `key:"offset" doc:"of ratio and difference: added to what was published first, where it is known to be defined otherwise by so much"`
	Relative string         `key:"relative_to" doc:"of ratio: both are divided by the figure at this value of among first"`
	Among    string         `key:"among" doc:"of order, ranking and relative_to: the axis key; default the last axis"`
	Tau      float64        `key:"tau" doc:"of order: the least correlation in each group"`
	Ranking  []string       `key:"ranking" doc:"of ranking: values of among as they stand in tables, the one with the least figure first"`
	AtLeast  int            `key:"at_least" doc:"how many cells, or groups of a ranking, have to be within; default all that are published, run or not"`
	Where    map[string]any `key:"where" doc:"cells the rule is about: axis keys with a value or a list of values"`
	Why      string         `key:"why" doc:"what the tolerance comes from: the precision of the paper, not the results"`
}

// Set changes a key of the study for all points: the base, any variant or
// override that would set it, and the axis over it, if there is one, are
// replaced.
func (st *Study) Set(path, text string, names spec.Names) error {
	return st.SetBy("--set "+path+"="+text, path, text, names)
}

// SetBy is Set for another flag, which errors and Changed name.
func (st *Study) SetBy(where, path, text string, names spec.Names) error {
	if path == variantKey {
		return InFlag(spec.BadInput(path, "choose with --axis "+path+"="+text,
			"variant is a key of axes only"), where)
	}
	k, ok := spec.FindKey(path)
	if !ok {
		return InFlag(spec.UnknownKey(path), where)
	}
	s := spec.Settings{Spec: st.Base, Runs: st.Runs}
	if err := s.Assign(path, spec.ParseFlagValue(k, text), names); err != nil {
		return InFlag(err, where)
	}
	for _, v := range st.usedVariants() {
		for _, over := range spec.SortedKeys(v.Set) {
			if covers(path, over) {
				return spec.BadInput(path, "choose variants with --axis variant=..., or write a "+
					"study of your own",
					"the variant %s sets %s itself, so its row would have a name that is not true", v.Name, over).By(where)
			}
		}
	}
	for _, a := range st.Axes {
		if a.Key == "allocator" && strings.HasPrefix(path, "allocator.") {
			right := "give whole allocators, such as --axis allocator=first-fit:rotate,mbs"
			return InFlag(spec.BadInput(path, right, "the axis allocator sets %s at every point",
				path), where)
		}
	}
	st.Base, st.Runs = s.Spec, s.Runs
	st.dropAxis(path)
	st.dropSettings(path)
	st.give(path, where)
	st.change(path, where)
	return nil
}

// UseTrace has a study take another log than its own.
func (st *Study) UseTrace(file string, names spec.Names) error {
	where := "--trace " + file
	if own := st.Base.Workload.Trace; own != "" {
		where += " in place of " + own
	}
	if err := st.SetBy(where, "workload.trace", strconv.Quote(file), names); err != nil {
		return err
	}
	st.Base.Workload.TraceSHA256 = ""
	st.dropSettings("workload.trace_sha256")
	return nil
}

// change notes that a flag made the study another, unless the key decides on
// nothing but chance, precision or speed, or names the place of a log.
func (st *Study) change(path, where string) {
	st.flagged = true
	switch path {
	case "runs.seed", "runs.replications", "runs.confidence", "runs.max_relative_error",
		"runs.max_replications",
		"runs.count_ties", "runs.measures", "network.engine", "workload.trace_sha256":
		return
	}
	st.Changed = append(st.Changed, spec.Printable(where))
}

// dropSettings takes out what variants and overrides say about a key.
func (st *Study) dropSettings(path string) {
	for _, v := range st.Variants {
		dropKeys(v.Set, path)
	}
	st.dropOverrides(path)
}

// dropOverrides takes out what overrides say about a key.
func (st *Study) dropOverrides(path string) {
	st.dropPins(path)
	for _, o := range st.Overrides {
		dropKeys(o.Set, path)
	}
}

// dropKeys takes out the keys that setting path leaves nothing of.
func dropKeys(set map[string]any, path string) {
	for _, over := range spec.SortedKeys(set) {
		if covers(path, over) {
			delete(set, over)
		}
	}
}

// SetAxis replaces or adds an axis, its values separated by commas. It takes
// back what overrides say about the same key.
func (st *Study) SetAxis(path, text string, names spec.Names) error {
	where := "--axis " + path + "=" + text
	k, ok := FindAxisKey(path)
	if !ok {
		return InFlag(spec.UnknownKey(path), where)
	}
	axis := Axis{Key: path, where: where}
	for _, part := range splitValues(k, text, names) {
		axis.Values = append(axis.Values, spec.ParseFlagValue(k, part))
	}
	if err := st.checkAxis(axis, "axis "+path, names); err != nil {
		return InFlag(err, where)
	}
	selects := st.selects(axis, names)
	st.putAxis(axis)
	st.dropOverrides(path)
	st.flagged = true
	if selects {
		st.Selected = append(st.Selected, where)
	} else {
		st.change(path, where)
	}
	return nil
}

// selects tells whether the values of an axis are some of those the study has
// already: its points are then points of the study as it was.
func (st *Study) selects(axis Axis, names spec.Names) bool {
	labels := func(a Axis) []string {
		var list []string
		for _, v := range a.Values {
			p := Point{Spec: st.Base}
			if st.Assign(&p, a.Key, v, names) == nil {
				list = append(list, labelOf(a.Key, v, &p.Spec))
			}
		}
		return list
	}
	i := slices.IndexFunc(st.Axes, func(a Axis) bool { return a.Key == axis.Key })
	if i < 0 {
		return false
	}
	have := labels(st.Axes[i])
	return !slices.ContainsFunc(labels(axis), func(l string) bool {
		return !slices.Contains(have, l)
	})
}

// UseQuick turns the study into its small version.
func (st *Study) UseQuick(names spec.Names) error {
	s := spec.Settings{Spec: st.Base, Runs: st.Runs}
	for _, path := range spec.SortedKeys(st.Quick.Set) {
		if err := s.Assign(path, st.Quick.Set[path], names); err != nil {
			return InFlag(err, "--quick")
		}
		st.dropSettings(path)
		st.dropAxis(path)
		st.give(path, "--quick")
	}
	st.Base, st.Runs = s.Spec, s.Runs
	for _, a := range st.Quick.Axes {
		st.putAxis(a)
	}
	if st.Quick.Metrics != nil {
		st.Table.Metrics = st.Quick.Metrics
	}
	st.Quick, st.Title = Quick{}, strings.TrimSpace(st.Title+" (small version)")
	st.flagged, st.Changed = true, append(st.Changed, "--quick")
	return nil
}

func (st *Study) putAxis(a Axis) {
	for i := range st.Axes {
		if st.Axes[i].Key == a.Key {
			st.Axes[i] = a
			return
		}
	}
	st.dropAxis(a.Key)
	st.keepAmong()
	st.Axes = append(st.Axes, a)
}

// dropAxis takes out the axes whose say a key given for all points ends.
func (st *Study) dropAxis(path string) {
	var kept []Axis
	for _, a := range st.Axes {
		if !covers(path, a.Key) {
			kept = append(kept, a)
		}
	}
	st.Axes = kept
}

// covers tells whether setting path leaves nothing of what other sets.
func covers(path, other string) bool {
	if path == other || path == "allocator" && strings.HasPrefix(other, "allocator.") {
		return true
	}
	k, _ := spec.FindKey(path)
	o, _ := spec.FindKey(other)
	return k.OneOf != "" && k.OneOf == o.OneOf
}

func InFlag(err *spec.InputError, where string) error {
	if err == nil {
		return nil
	}
	err.Where = where
	return err
}

// splitValues cuts a list at its commas, those inside of brackets, braces and
// quotes excepted. Of allocators, a piece that does not begin with a name goes
// on with the piece before: paging:1,snake,mbs are two.
func splitValues(k spec.Key, text string, names spec.Names) []string {
	var parts []string
	depth, quote, start := 0, rune(0), 0
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth == 0:
			parts, start = append(parts, strings.TrimSpace(text[start:i])), i+1
		}
	}
	parts = append(parts, strings.TrimSpace(text[start:]))
	if k.Path != "allocator" && k.Path != "scheduler.decision" {
		return parts
	}
	joined := parts[:1]
	for _, p := range parts[1:] {
		last := &joined[len(joined)-1]
		if name, _, _ := strings.Cut(p, ":"); strings.Contains(*last, ":") &&
			isArgument(name, names) {
			*last += "," + p
		} else {
			joined = append(joined, p)
		}
	}
	return joined
}

// isArgument tells whether a piece of a list of allocators can only be a
// parameter: a number, "rotate" or an order.
func isArgument(piece string, names spec.Names) bool {
	if piece == "rotate" || piece != "" && strings.Trim(piece, "0123456789") == "" {
		return true
	}
	for _, order := range names.List("orders") {
		if piece == order {
			return true
		}
	}
	return false
}
