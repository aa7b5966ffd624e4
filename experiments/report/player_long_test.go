//go:build long

package report

import (
	"fmt"
	"strings"
	"testing"
)

// quiet checks that the browser reported no error and asked for nothing but the page.
func (b *browser) quiet() {
	b.t.Helper()
	for _, method := range []string{"Runtime.exceptionThrown", "Log.entryAdded",
		"Runtime.consoleAPICalled"} {
		for _, event := range b.events[method] {
			b.t.Errorf("%s: %s", method, event)
		}
	}
	for _, event := range b.events["Network.requestWillBeSent"] {
		if text := string(event); !strings.Contains(text, `"url":"file://`) &&
			!strings.Contains(text, `"url":"data:`) {
			b.t.Errorf("the page asks for something: %s", text)
		}
	}
}

// TestLongBrowser looks at pages in a browser, as a reader does.
func TestLongBrowser(t *testing.T) {
	b := openBrowser(t)
	path := saved(t, writtenPage(t, ran(t, smallStudy, pageRecorded), DefaultLimit))
	for _, test := range []struct {
		name string
		do   func(*browser)
	}{{"plays", testPlays}, {"steps", testSteps}, {"job", testJob}, {"channel", testChannel},
		{"choices", testChoices}, {"sorts", testSorts}, {"theme", testTheme},
		{"narrow", testNarrow}, {"hostile", testHostile}, {"no axes", testNoAxes}} {
		t.Run(test.name, func(t *testing.T) {
			b.t = t
			b.size(1200, 900)
			b.open(path)
			test.do(b)
			b.quiet()
		})
	}
	b.t = t
}

// testPlays lets the run play for a while, starts and stops it by keyboard too.
func testPlays(b *browser) {
	b.click("#first", 0.5, 0.5)
	const wait = "new Promise(function (done) { setTimeout(done, 400); })"
	before := b.text("#clock")
	b.click("#play", 0.5, 0.5)
	b.eval(wait)
	if after := b.text("#clock"); after == before || b.text("#play") != "Pause" {
		b.t.Errorf("playing leaves %q and the button %q", after, b.text("#play"))
	}
	b.eval(`document.getElementById("gantt").focus()`)
	b.key(" ", " ", 32)
	before = b.text("#clock")
	b.eval(wait)
	if after := b.text("#clock"); after != before || b.text("#play") != "Play" {
		b.t.Errorf("space does not pause: %q becomes %q", before, after)
	}
}

// testSteps steps through the first changes of the machine and back.
func testSteps(b *browser) {
	b.click("#first", 0.5, 0.5)
	first := b.text("#clock")
	b.eval(`document.getElementById("gantt").focus()`)
	b.key("ArrowRight", "", 39)
	second := b.text("#clock")
	b.click("#forward", 0.5, 0.5)
	third := b.text("#clock")
	b.key("ArrowLeft", "", 37)
	if first == second || second == third || b.text("#clock") != second {
		b.t.Errorf("steps show %q, %q, %q and back %q", first, second, third, b.text("#clock"))
	}
}

// testJob clicks a job over time and on the map, and chooses the next one.
func testJob(b *browser) {
	const jobs = `JSON.parse(document.querySelector("[id^=jobs-]").textContent)`
	var job struct{ Start, End, Last float64 }
	b.value(&job, `(function () { const jobs = `+jobs+`; return { start: jobs.start[3],
		end: jobs.end[3], last: Math.max(...jobs.end) }; })()`)
	var node, width float64
	b.value(&node, `Number(`+jobs+`.nodes[3].split(",")[0].split("-")[0])`)
	b.value(&width, `document.querySelector("#gantt svg").viewBox.baseVal.width`)
	number := b.eval(`String(` + jobs + `.job[3])`)

	across := 52 + (width-62)*(job.Start+job.End)/2/job.Last
	b.click("#gantt svg", across/width, (6+268*(1-(node+0.5)/24))/310)
	if got := b.eval(`document.getElementById("job").value`); got != number {
		b.t.Fatalf("a click on job %s shows %s", number, got)
	}
	if details := b.text("#details"); !strings.Contains(details, "packet blocking time") {
		b.t.Errorf("the details are %q", details)
	}
	marked := b.eval(`document.querySelector("#map .selected").getAttribute("d")`)
	if len(marked) < 10 {
		b.t.Error("the map does not mark the job")
	}
	b.eval(`document.getElementById("gantt").focus()`)
	b.key("ArrowDown", "", 40)
	if got := b.eval(`document.getElementById("job").value`); got == number {
		b.t.Error("the down arrow keeps the job")
	}
	b.click("#job-before", 0.5, 0.5)
	if got := b.eval(`document.getElementById("job").value`); got != number {
		b.t.Errorf("the job before the next one is %s, not %s", got, number)
	}
	b.click("#map svg", mapX(5), mapY(3)) // a free node or another job
	b.click("#map svg", mapX(int(node)%6), mapY(int(node)/6))
	if got := b.eval(`document.getElementById("job").value`); got != number {
		b.t.Errorf("a click on node %g of job %s shows job %s", node, number, got)
	}
}

// mapX and mapY are the place of a router of the small study on its map, as fractions.
func mapX(x int) float64 { return (float64(x) + 0.5 + 0.15) / 6.3 }
func mapY(y int) float64 { return (3.5 - float64(y) + 0.15) / 4.3 }

// testChannel clicks the channel from node 0 to node 1, on a mesh at the bottom left.
func testChannel(b *browser) {
	b.click("#map svg", mapX(0)+0.5/6.3, mapY(0)+0.11/4.3)
	details := b.text("#details")
	for _, words := range []string{"router 0 (0,0) to 1 (1,0)", "Load now", "flits", "held cycles"} {
		if !strings.Contains(details, words) {
			b.t.Errorf("a click on a channel shows %q without %q", details, words)
		}
	}
}

// testChoices opens another point and another replication.
func testChoices(b *browser) {
	const choose = `(function () {
		const select = document.querySelector(%q); select.value = %q;
		select.dispatchEvent(new Event("change"));
		return document.querySelector("#gantt svg").innerHTML;
	})()`
	point := b.eval(fmt.Sprintf(choose, "#points select", "first-fit"))
	replication := b.eval(fmt.Sprintf(choose, "#replication", "1"))
	if point == replication {
		b.t.Error("another replication shows the same jobs")
	}
	b.click("#closer", 0.5, 0.5)
	if b.eval(`document.querySelector("#gantt svg").innerHTML`) == replication {
		b.t.Error("the button for less time changes nothing")
	}
}

// testSorts sorts a table by the numbers of a column, then the other way.
func testSorts(b *browser) {
	const column = `JSON.stringify(Array.from(document.querySelectorAll("#summary tbody tr"),
		function (row) { return parseFloat(row.cells[1].textContent); }))`
	b.click("#summary th:nth-child(2) button", 0.5, 0.5)
	up := b.eval(column)
	b.click("#summary th:nth-child(2) button", 0.5, 0.5)
	if down := b.eval(column); up == down {
		b.t.Errorf("both orders are %s", up)
	}
	if got := b.eval(`document.querySelector("#summary th:nth-child(2)").ariaSort`); got !=
		`"descending"` {
		b.t.Errorf("the heading says %s", got)
	}
}

// testTheme chooses dark colours.
func testTheme(b *browser) {
	const ground = "getComputedStyle(document.body).backgroundColor"
	light := b.eval(ground)
	b.eval(`(function () { const select = document.getElementById("theme"); select.value = "dark";
		select.dispatchEvent(new Event("change")); })()`)
	if dark := b.eval(ground); dark == light {
		b.t.Errorf("the ground is %s in both", dark)
	}
}

// testNarrow looks at a page with long names on a telephone: nothing but tables and wide figures,
// which scroll, reaches over its edge, and the first table does not either.
func testNarrow(b *browser) {
	name := "exec:sha256=0123456789abcdef " + strings.Repeat("python3 first_fit.py ", 4)
	text := strings.NewReplacer("[[figures]]", "[[axes]]\nkey = \"variant\"\nvalues = [\""+name+"\"]\n"+
		"[[variants]]\nname = \""+name+"\"\n[[figures]]", `metric = "finish_time"`,
		"metric = \"finish_time\"\nseries = \"variant\"\nwidth_mm = 174").Replace(smallStudy)
	b.size(390, 844)
	b.open(saved(b.t, writtenPage(b.t, ran(b.t, text, pageRecorded), DefaultLimit)))
	for _, part := range []string{"document.documentElement",
		"document.querySelector('#points select').parentElement",
		"document.querySelector('#run .scroll')"} {
		var over float64
		b.value(&over, part+".scrollWidth - "+part+".clientWidth")
		if over > 0 {
			b.t.Errorf("%s reaches %g pixels over its edge", part, over)
		}
	}
	var figure float64
	b.value(&figure, "document.querySelector('.wide .paper svg').getBoundingClientRect().width")
	if figure < 600 {
		b.t.Errorf("a figure of 174 mm is %g pixels wide", figure)
	}
	var right float64
	b.value(&right, "document.querySelector('#points select').getBoundingClientRect().right")
	if right > 390 {
		b.t.Errorf("a choice ends at %g pixels of 390", right)
	}
}

// testHostile opens a page whose names try to be scripts.
func testHostile(b *browser) {
	b.open(saved(b.t, hostilePage(b.t)))
	if got := b.eval("document.title"); !strings.Contains(got, "script") {
		b.t.Errorf("the title is %s", got)
	}
	if got := b.eval("document.images.length"); got != "0" {
		b.t.Errorf("the page has %s images", got)
	}
	b.click("#gantt svg", 0.5, 0.87)
	if got := b.text("#details"); !strings.Contains(got, "<img src=x") {
		b.t.Errorf("the details of the job are %q", got)
	}
}

// testNoAxes opens the page of a study of one point.
func testNoAxes(b *browser) {
	text, _, _ := strings.Cut(smallStudy, "[[axes]]")
	b.open(saved(b.t, writtenPage(b.t, ran(b.t, text, pageRecorded), DefaultLimit)))
	if clock := b.text("#clock"); !strings.Contains(clock, "of 24 nodes") {
		b.t.Errorf("the player shows %q", clock)
	}
}
