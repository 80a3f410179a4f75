/// The style that the pages share: readable in light and dark, on paper, and without any colour.
enum PageStyle {
  static let css = """
    :root { color-scheme: light dark; --ink: #1a1c1e; --paper: #ffffff; --faint: #5b6168; --line: #c9ced4; --ground: #eef1f4;
      --bar: #2c5d8f; --mark: #9a3412; --focus: #b45309; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e6e8ea; --paper: #16181b; --faint: #a5abb2; --line: #43494f;
      --ground: #24282c; --bar: #7fb2e5; --mark: #fdba74; --focus: #fbbf24; } }
    * { box-sizing: border-box; }
    body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
      font: 1rem/1.5 system-ui, "DejaVu Sans", "Liberation Sans", sans-serif; }
    h1 { font-size: 1.6rem; margin: 0 0 .25rem; } h2 { font-size: 1.25rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); }
    h3 { font-size: 1.05rem; margin: 1.25rem 0 .25rem; }
    a { color: var(--bar); } a:focus-visible, button:focus-visible, input:focus-visible, summary:focus-visible, [tabindex]:focus-visible {
      outline: 3px solid var(--focus); outline-offset: 2px; }
    .faint { color: var(--faint); } .headline { border-left: .4rem solid var(--mark); background: var(--ground); padding: .75rem 1rem; }
    .headline.calm { border-color: var(--bar); } .headline p { margin: .25rem 0; } .headline strong { font-size: 1.15rem; }
    .scroll { overflow-x: auto; } table { border-collapse: collapse; margin: .5rem 0; font-size: .95rem; }
    caption { white-space: nowrap; text-align: left; font-weight: 600; padding: .25rem 0; } th, td { text-align: left; vertical-align: top;
      padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); } td.number, th.number { text-align: right;
      font-variant-numeric: tabular-nums; white-space: nowrap; } td { overflow-wrap: anywhere; } thead th { border-bottom: 2px solid var(--line); }
    figure { margin: .5rem 0 1.5rem; } svg { max-width: 100%; height: auto; } svg text { font-size: 13px; fill: currentColor; }
    svg .bar { fill: var(--bar); } svg .ground { fill: var(--ground); } svg .axis { stroke: var(--line); }
    .columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(32rem, 100%), 1fr)); gap: 0 2rem; }
    @media print { body { max-width: none; padding: 0; font-size: 10pt; } a { color: inherit; } tr, figure { break-inside: avoid; }
      details > * { display: block; } .no-print { display: none; } }
    """
}
