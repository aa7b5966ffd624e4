package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/studies"
	"contend/experiments/study"
	"contend/internal/input"

	"github.com/spf13/cobra"
)

// topics are the lists of contend list, in the order of its output.
var topics = []string{"studies", "allocators", "orders", "patterns", "traffics", "topologies",
	"routings", "congestion-controls", "schedulers", "metrics", "keys", "presets"}

// listCommand returns the command contend list.
func (a *app) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "list [" + strings.Join(topics, "|") + "]",
		Short:     "List everything that has a name, one line each",
		ValidArgs: topics,
		Args:      cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				if !slices.Contains(topics, args[0]) {
					return &input.Error{Problem: fmt.Sprintf("there is no list of %s", args[0]),
						Right: input.OneOf(args[0], topics)}
				}
				return a.list(a.stdout, args[0], "")
			}
			for i, topic := range topics {
				if i > 0 {
					fmt.Fprintln(a.stdout)
				}
				fmt.Fprintln(a.stdout, topic+":")
				if err := a.list(a.stdout, topic, "  "); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// list writes the list of a topic, one line for each name.
func (a *app) list(out io.Writer, topic, indent string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(name, doc, source string) {
		if source != "" {
			doc += " (" + source + ")"
		}
		fmt.Fprintf(w, "%s%s\t%s\n", indent, name, doc)
	}
	switch topic {
	case "studies":
		for _, name := range studies.Names() {
			title, cites, err := study.Heading(name)
			if err != nil {
				return err
			}
			line(name, title, cites)
		}
	case "metrics":
		for _, m := range metrics.ForReaders(metrics.MetricsOf(a.names)) {
			line(m.Name, m.Doc, strings.Join(slices.DeleteFunc([]string{m.Unit, m.Source},
				func(s string) bool { return s == "" }), "; "))
		}
	case "keys":
		for _, k := range config.Keys() {
			line(k.Path, k.Doc, "default "+k.Default)
		}
	case "presets":
		for _, p := range config.Presets() {
			line(p.Name, p.Doc, "")
			for _, k := range p.Keys {
				line(fmt.Sprintf("  %s = %v", k.Path, k.Value), k.Source, "")
			}
		}
	default:
		for _, n := range a.names.Tables()[topic] {
			line(n.Name, n.Line(), n.Source)
		}
	}
	return w.Flush()
}

// showCommand returns the command contend show.
func (a *app) showCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show STUDY",
		Short: "Print the TOML of a built-in study, or of a file with all its defaults",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			text, ok := studies.TOML(args[0])
			if !ok {
				st, err := study.Load(args[0], a.names)
				if err != nil {
					return err
				}
				text = st.TOML(fingerprint())
			}
			fmt.Fprint(a.stdout, text)
			return nil
		},
	}
}
