// Package external has allocators, policies and patterns that are programs of their own, in any
// language.
//
// A run starts the program once and writes lines of JSON to its standard input. The program
// answers each line with one line on its standard output. The first line describes the machine.
// An allocator then gets the requests for nodes of `contend network` and answers as that does; a
// policy gets the events of jobs and answers with the jobs to start. docs/howto/json-lines.md has
// the lines.
//
// An example of an allocator, the lines that it gets and its answers:
//
//	{"machine":...}                 {}
//	{"free":[0,5,6,15],"size":3}    {"nodes":[0,5,6]}
//	{"free":[15],"size":3}          {"refused":"too few nodes are free"}
//
// A pattern depends on no machine and on no run. Its program starts once for all runs and gets a
// line for each number of processes and shape of jobs, without a first line. It answers with the
// phases or the tasks of an iteration. docs/howto/own-pattern.md has an example.
//
// A run depends on nothing but its spec. So the text of a command holds the digest of the files
// that the command names, and the program has to be deterministic. An answer that is wrong, late
// or missing ends the run with an error.
package external

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"contend/internal/input"
)

// Command starts a program of a run.
type Command struct {
	// Words are the program and its arguments.
	Words []string
	// Deadline is the longest time for an answer, and Start what the first one may take beyond it:
	// an interpreter reads its modules before it reads a line. 0 is the standard time.
	Deadline, Start time.Duration
	// SHA256 is the digest of the files that words name, "" if no word names one.
	SHA256 string
}

const (
	// defaultSeconds is the time for an answer where a command gives none, and maxSeconds the longest
	// that it may give.
	defaultSeconds, maxSeconds = 10, 86400
	// startSeconds is the time to start where a command gives none. It is long, because a program
	// may be on a network file system that others use too.
	startSeconds = 60
	// digestDigits is the number of digits of a digest: two files have the same one with a
	// probability of 16^-16.
	digestDigits = 16
	// quotes are the characters around a word with blanks.
	quotes = `"'`
)

// commandRemedy is the remedy for a wrong command.
const commandRemedy = "give a program and its arguments, such as exec:python3 first_fit.py"

// Canonical returns the text of a command in a spec, with the digest of the files that it names. It
// reads the files if the text has no digest.
func Canonical(text string) (string, error) { return canonical(text, "") }

// PatternSeparators end the command of a pattern among others: in a mix, before a weight, and in a
// row of a list.
const PatternSeparators = "+:;"

// CanonicalPattern returns Canonical of the command of a pattern. Words with PatternSeparators
// stand in quotes.
func CanonicalPattern(text string) (string, error) { return canonical(text, PatternSeparators) }

// canonical returns Canonical with quotes around words that have some characters.
func canonical(text, quoted string) (string, error) {
	c, err := ParseCommand(text)
	if err == nil && c.SHA256 == "" {
		c.SHA256, err = digest(c.Words)
	}
	return c.text(quoted), err
}

// SplitUnquoted splits a text at the first of some characters that does not stand in quotes.
func SplitUnquoted(text, separators string) (before, after string, found bool) {
	quote := rune(0)
	for i, r := range text {
		switch {
		case r == quote:
			quote = 0
		case quote != 0:
		case strings.ContainsRune(quotes, r):
			quote = r
		case strings.ContainsRune(separators, r):
			return text[:i], text[i+1:], true
		}
	}
	return text, "", false
}

// ParseCommand parses a text such as deadline=60 python3 first_fit.py --wide. Blanks separate
// words; a word with blanks stands in quotes.
func ParseCommand(text string) (c Command, err error) {
	c.Deadline, c.Start = defaultSeconds*time.Second, startSeconds*time.Second
	words, err := splitWords(text)
	if err != nil {
		return c, err
	}
	for len(words) > 0 {
		name, value, _ := strings.Cut(words[0], "=")
		switch name {
		case "deadline", "start":
			seconds, err := strconv.ParseFloat(value, 64)
			if err != nil || !(seconds > 0 && seconds <= maxSeconds) {
				return c, input.Bad("", fmt.Sprintf("give seconds above 0 and at most %d", maxSeconds),
					"%s is %q", name, value)
			}
			of := &c.Deadline
			if name == "start" {
				of = &c.Start
			}
			*of = time.Duration(seconds * float64(time.Second))
		case "sha256":
			c.SHA256 = value
			if len(value) != digestDigits || strings.Trim(value, "0123456789abcdef") != "" {
				return c, input.Bad("", fmt.Sprintf("give %d hexadecimal digits in lower case, or leave it "+
					"out", digestDigits), "sha256 is %q", value)
			}
		default:
			c.Words = words
			return c, nil
		}
		words = words[1:]
	}
	return c, input.Bad("", commandRemedy, "the command has no program")
}

// splitWords splits a text into words and removes the quotes around them.
func splitWords(text string) (words []string, err error) {
	word, inWord, quote := "", false, rune(0)
	for _, r := range text {
		switch {
		case r == quote:
			quote = 0
		case quote != 0:
			word += string(r)
		case strings.ContainsRune(quotes, r):
			quote, inWord = r, true
		case r != ' ':
			word, inWord = word+string(r), true
		case inWord:
			words, word, inWord = append(words, word), "", false
		}
	}
	if quote != 0 {
		return nil, input.Bad("", "close it", "a quote %c is left open in %s", quote, text)
	}
	if inWord {
		words = append(words, word)
	}
	return words, nil
}

// String returns the text that ParseCommand parses.
func (c Command) String() string { return c.text("") }

// text is String with quotes around words that have some characters.
func (c Command) text(quoted string) string {
	var words []string
	option := func(name string, d time.Duration, standard float64) {
		if seconds := d.Seconds(); d != 0 && seconds != standard {
			words = append(words, name+"="+strconv.FormatFloat(seconds, 'f', -1, 64))
		}
	}
	option("deadline", c.Deadline, defaultSeconds)
	option("start", c.Start, startSeconds)
	if c.SHA256 != "" {
		words = append(words, "sha256="+c.SHA256)
	}
	return strings.Join(append(words, c.quotedLine(quoted)), " ")
}

// Line returns the words as a command line, with quotes where they are needed.
func (c Command) Line() string { return c.quotedLine("") }

// quotedLine is Line with quotes around words that have some characters.
func (c Command) quotedLine(quoted string) string {
	var words []string
	for _, w := range c.Words {
		if w == "" || strings.ContainsAny(w, " "+quotes+quoted) {
			words = append(words, quoteWord(w))
			continue
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// quoteWord returns a word in quotes. A word with both kinds of quotes becomes several quoted
// parts.
func quoteWord(word string) string {
	if !strings.Contains(word, `"`) {
		return `"` + word + `"`
	}
	parts := strings.Split(word, "'")
	for i, p := range parts {
		parts[i] = "'" + p + "'"
	}
	return strings.Join(parts, `"'"`)
}

// namesFile reports whether a word of a command names a file, and its size. A program of the search
// path is none: a study may run with another version of its interpreter.
func namesFile(words []string, i int) (size int64, is bool) {
	info, err := os.Stat(words[i])
	if err != nil || !info.Mode().IsRegular() || i == 0 && !strings.ContainsAny(words[i], `/\`) {
		return 0, false
	}
	return info.Size(), true
}

// Files returns the files that words of the command name, and an error if they are not those with
// which it was given.
func (c Command) Files() (paths []string, err error) {
	for i, w := range c.Words {
		if _, is := namesFile(c.Words, i); is {
			paths = append(paths, w)
		}
	}
	return paths, c.sameFiles()
}

// digest returns the digest of the files that words name, "" if there are none.
func digest(words []string) (string, error) {
	sum, found := sha256.New(), false
	for i, w := range words {
		size, is := namesFile(words, i)
		if !is {
			continue
		}
		file, err := os.Open(w)
		if err == nil {
			found = true
			fmt.Fprintf(sum, "%d %d\n", i, size)
			_, err = io.Copy(sum, file)
			file.Close()
		}
		if err != nil {
			return "", input.Unreadable(err, commandRemedy)
		}
	}
	if !found {
		return "", nil
	}
	return fmt.Sprintf("%x", sum.Sum(nil))[:digestDigits], nil
}

// check refuses a command whose program is not found, or whose files have another digest.
func (c Command) check(found func(string) (string, error)) error {
	if _, err := found(c.Words[0]); err != nil {
		return input.Bad("", commandRemedy, "%s: %v", c.Line(), err)
	}
	return c.sameFiles()
}

// sameFiles refuses a command whose files have another digest.
func (c Command) sameFiles() error {
	now, err := digest(c.Words)
	if err == nil && c.SHA256 != "" && now != c.SHA256 {
		err = input.Bad("", "find those files, or take the digest out", "%s: its files have the digest "+
			"%s, and the command was given with %s", c.Line(), now, c.SHA256)
	}
	return err
}
