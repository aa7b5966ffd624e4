//go:build long

package report

import (
	"bufio"
	"contend/internal/must"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// browser is a Chromium without a window, driven over its DevTools pipe.
type browser struct {
	t       *testing.T
	out     io.Writer
	answers chan answer
	session string
	last    int
	// events are those that the tests look at, by method.
	events map[string][]json.RawMessage
}

// answer is a message of the browser: the result of a call or an event.
type answer struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// openBrowser starts Chromium with an empty page, or skips the test where there is none.
func openBrowser(t *testing.T) *browser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no chromium")
	}
	// Processes of the browser write to its profile for a moment after it has ended.
	profile := must.Have(os.MkdirTemp("", "contend-browser"))
	t.Cleanup(func() {
		for range 50 {
			if os.RemoveAll(profile) == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	toBrowser, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, fromBrowser, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), path, "--headless", "--no-sandbox", "--disable-gpu",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--remote-debugging-pipe", "--user-data-dir="+profile, "--no-first-run", "about:blank")
	c.ExtraFiles = []*os.File{toBrowser, fromBrowser}
	must.Have(0, c.Start())
	toBrowser.Close()
	fromBrowser.Close()
	b := &browser{t: t, out: in, answers: make(chan answer, 1000),
		events: map[string][]json.RawMessage{}}
	go b.read(out)
	t.Cleanup(func() {
		b.last++
		fmt.Fprintf(in, `{"id":%d,"method":"Browser.close"}`+"\x00", b.last)
		c.Wait()
	})
	b.attach()
	return b
}

// read passes on what the browser says until it ends.
func (b *browser) read(from io.Reader) {
	defer close(b.answers)
	in := bufio.NewReader(from)
	for {
		text, err := in.ReadBytes(0)
		if err != nil {
			return
		}
		var a answer
		if json.Unmarshal(text[:len(text)-1], &a) == nil {
			b.answers <- a
		}
	}
}

// attach connects to the browser's page and asks for the events of interest.
func (b *browser) attach() {
	var targets struct {
		TargetInfos []struct{ TargetID, Type string }
	}
	b.into(&targets, "Target.getTargets", nil)
	for _, target := range targets.TargetInfos {
		if target.Type != "page" {
			continue
		}
		var session struct{ SessionID string }
		b.into(&session, "Target.attachToTarget",
			map[string]any{"targetId": target.TargetID, "flatten": true})
		b.session = session.SessionID
	}
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(domain+".enable", nil)
	}
}

// call calls a method and returns its result.
func (b *browser) call(method string, params map[string]any) json.RawMessage {
	b.t.Helper()
	b.last++
	message := map[string]any{"id": b.last, "method": method}
	if params != nil {
		message["params"] = params
	}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	text := must.Have(json.Marshal(message))
	must.Have(b.out.Write(append(text, 0)))
	a := b.wait(method, func(a *answer) bool { return a.ID == b.last })
	if a.Error != nil {
		b.t.Fatalf("%s: %s", method, a.Error.Message)
	}
	return a.Result
}

// wait keeps events until a message is the wanted one.
func (b *browser) wait(what string, wanted func(*answer) bool) answer {
	b.t.Helper()
	limit := time.After(time.Minute)
	for {
		select {
		case a, open := <-b.answers:
			if !open {
				b.t.Fatalf("the browser ended before %s", what)
			}
			if a.Method != "" {
				b.events[a.Method] = append(b.events[a.Method], a.Params)
			}
			if wanted(&a) {
				return a
			}
		case <-limit:
			b.t.Fatalf("the browser does not answer: %s", what)
		}
	}
}

// into calls a method and decodes its result.
func (b *browser) into(to any, method string, params map[string]any) {
	b.t.Helper()
	must.Have(0, json.Unmarshal(b.call(method, params), to))
}

// open opens a page and waits until it has loaded.
func (b *browser) open(path string) {
	b.t.Helper()
	full := must.Have(filepath.Abs(path))
	b.events = map[string][]json.RawMessage{}
	b.call("Page.navigate", map[string]any{"url": "file://" + full})
	b.wait("the page", func(a *answer) bool { return a.Method == "Page.loadEventFired" })
}

// size makes the window so large.
func (b *browser) size(width, height int) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height,
		"deviceScaleFactor": 1, "mobile": false})
}

// eval returns the value of a JavaScript expression as JSON.
func (b *browser) eval(expression string) string {
	b.t.Helper()
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	b.into(&r, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true,
		"awaitPromise": true})
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, r.ExceptionDetails)
	}
	return string(r.Result.Value)
}

// value decodes the value of a JavaScript expression.
func (b *browser) value(to any, expression string) {
	b.t.Helper()
	text := b.eval(expression)
	if err := json.Unmarshal([]byte(text), to); err != nil {
		b.t.Fatalf("%s is %s", expression, text)
	}
}

// text returns the text of an element.
func (b *browser) text(selector string) string {
	b.t.Helper()
	var s string
	b.value(&s, fmt.Sprintf("document.querySelector(%q).textContent", selector))
	return s
}

// click clicks with the mouse at a place of an element, as fractions of its width and height.
func (b *browser) click(selector string, x, y float64) {
	b.t.Helper()
	const place = `(function () {
		const e = document.querySelector(%q); e.scrollIntoView({ block: "center" });
		const r = e.getBoundingClientRect(); return { x: r.x + %g * r.width, y: r.y + %g * r.height };
	})()`
	var p struct{ X, Y float64 }
	b.value(&p, fmt.Sprintf(place, selector, x, y))
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		b.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": p.X, "y": p.Y,
			"button": "left", "clickCount": 1})
	}
}

// key presses a key.
func (b *browser) key(name, text string, code int) {
	b.t.Helper()
	for _, kind := range []string{"keyDown", "keyUp"} {
		params := map[string]any{"type": kind, "key": name, "windowsVirtualKeyCode": code}
		if kind == "keyDown" && text != "" {
			params["text"] = text
		}
		b.call("Input.dispatchKeyEvent", params)
	}
}
