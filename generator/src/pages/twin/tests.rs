use super::*;

fn text_of(main: &str) -> String {
    let page = format!("<html><nav>menu</nav><main id=\"main\">{main}</main><footer>foot</footer>");
    twin(&page, "https://a.example", "https://a.example/p")
}

#[test]
fn headings_paragraphs_and_lists_stay_and_forms_go() {
    let html = "\n<section class=\"hero\"><h1 dir=\"auto\">Jane &amp; Co</h1>\n<p class=\"lead\">MD ·\n Physician</p></section>\
        <form><input name=\"q\"><label>Search</label></form><script>1 < 2</script><p hidden>no</p><p aria-hidden=\"true\">no</p>\
        <aside><div><aside>in</aside>no</div></aside><h2>Visits</h2><ul><li><h3><a href=\"/v/1\">Follow-up</a></h3>\n<p class=\"tags\"><span class=\"tag\">By video</span> <span class=\"tag\">30 minutes</span></p></li>\
        <li>None</li></ul><p>Call <a href=\"tel:+1\">+1</a>.</p><ol><li>One</li><li>Two</li></ol>";
    let expected = "# Jane & Co\n\nMD · Physician\n\n## Visits\n\n- [Follow-up](https://a.example/v/1)\n  By video · 30 minutes\n- None\n\n\
        Call [+1](tel:+1).\n\n1. One\n2. Two\n";
    assert_eq!(text_of(html), expected);
}

#[test]
fn what_the_page_sets_apart_by_its_look_does_not_run_together() {
    let html = "<h1><span class=\"idle\">In CA</span><span class=\"busy\">Searching…</span></h1>\
        <details class=\"ask\"><summary><span></span><span class=\"edit\">Edit</span></summary></details>\
        <h2>Pick a time</h2><form>x</form><h2>Where</h2><ul><li><a href=\"/ca\"><span><b>CA</b><small>1 clinician</small></span>\
        <span class=\"go\">See openings</span></a></li><li><b>Ada</b><span class=\"quiet small\">Nurse</span></li></ul>\
        <h2>More</h2><h3>Of it</h3><p>a</p><h3>None</h3><h2>Last</h2><form>x</form>";
    let expected = "# In CA\n\n## Where\n\n- [**CA** · 1 clinician · See openings](https://a.example/ca)\n- **Ada** · Nurse\n\n\
        ## More\n\n### Of it\n\na\n";
    assert_eq!(text_of(html), expected);
}

#[test]
fn terms_stand_before_their_descriptions() {
    let html = "<dl class=\"facts\"><div><dt>Yes, in</dt>\n<dd><a href=\"#x\">CA</a>, NY</dd></div><div><dt>Plans</dt>\
        <dd><ul><li>A</li><li>B</li></ul></dd></div></dl>";
    assert_eq!(text_of(html), "- Yes, in: [CA](https://a.example/p#x), NY\n- Plans:\n  - A\n  - B\n");
}

#[test]
fn texts_cannot_become_markdown() {
    assert_eq!(
        text_of("<p># not *this* [x](y) &lt;b&gt; a_b</p>"),
        "\\# not \\*this\\* \\[x\\](y) \\<b> a\\_b\n"
    );
    assert_eq!(text_of("<p>- no item</p>"), "\\- no item\n");
}

#[test]
fn code_is_fenced() {
    let html = "<p>Ask <code>GET /v1</code>:</p><pre tabindex=\"0\"><code>{\n  &quot;a&quot;: 1\n}</code></pre><p>End</p>";
    assert_eq!(text_of(html), "Ask `GET /v1`:\n\n```\n{\n  \"a\": 1\n}\n```\n\nEnd\n");
    assert_eq!(text_of("<code>a`b</code>"), "`` a`b ``\n");
}

#[test]
fn broken_html_is_read_as_far_as_it_goes() {
    for html in [
        "<p>a<",
        "</a></ul></code>a",
        "<a href=\"x\">a",
        "<svg>a",
        "&#x110000;&#;&amp a",
        "<form></form></form>a",
    ] {
        let text = text_of(html);
        assert!(text.ends_with('\n'), "{html}: {text}");
    }
}

#[test]
fn a_visit_of_current_patients_does_not_say_who_sees_new_ones() {
    let row = "<li><h3>Ada</h3><p class=\"yes open\">Sees new patients in Texas</p><p class=\"no closed\">Current patients only</p></li>";
    let list = |class: &str| text_of(&format!("<h1>Visit</h1><ul class=\"people{class}\">{row}</ul>"));
    assert_eq!(list(" current-only"), "# Visit\n\n- Ada\n  Current patients only\n");
    assert!(list("").contains("Sees new patients in Texas"));
}
