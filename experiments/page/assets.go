package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"strings"
)

//go:embed assets
var files embed.FS

// assets are what all pages have in common.
var assets = load()

// common is what all pages have in common.
type common struct {
	page   *template.Template
	style  template.CSS
	script template.JS
	// policy forbids a page to load anything and to run any script but its own.
	policy template.HTML
}

func load() common {
	script := "\n\"use strict\";\n(function () {\n" + joined("base.js", "theme.js", "tables.js",
		"run.js", "chart.js", "map.js", "gantt.js", "lines.js", "details.js", "player.js") + "})();\n"
	sum := sha256.Sum256([]byte(script))
	return common{
		page:   template.Must(template.ParseFS(files, "assets/*.html")).Lookup("page.html"),
		style:  template.CSS("\n" + joined("page.css", "player.css", "print.css")),
		script: template.JS(script),
		policy: template.HTML(`<meta http-equiv="Content-Security-Policy" content="` +
			"default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; " +
			"script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + `'">`),
	}
}

// joined returns some of the assets, one after the other.
func joined(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		text, err := files.ReadFile("assets/" + name)
		if err != nil {
			panic("page: " + err.Error())
		}
		b.Write(text)
	}
	return b.String()
}
