// Which colour a row has: a slot of a palette, and the legend that explains the slots.
(() => {
  const scatter = globalThis.stylobateScatter;
  const HUES = ["#3b82b8", "#d9762b", "#009e73", "#cc79a7", "#b39700", "#7d6bb8", "#c0392b", "#6fb1d8", "#8a6d4b", "#7fa63a"];
  const RAMP = ["#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39", "#fde725"];
  const STEPS = 64;

  const rgb = (text) => {
    const hex = text.trim().slice(1);
    return [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16));
  };
  const mixed = (a, b, share) => a.map((v, k) => Math.round(v + (b[k] - v) * share));
  const css = (color) => `rgb(${color.join(" ")})`;

  // Colours of the page as they are now, light or dark.
  scatter.theme = () => {
    const style = getComputedStyle(document.documentElement);
    const named = (name) => rgb(style.getPropertyValue(name));
    return { paper: named("--paper"), ink: named("--ink"), soft: named("--soft"), faint: named("--faint"), fill: named("--fill"), accent: named("--accent"), track: named("--track") };
  };

  // The ramp without its end that is nearest to the paper.
  function ramp(theme) {
    const dark = theme.paper[0] < 128, from = dark ? 0.22 : 0, to = dark ? 1 : 0.93;
    const stops = RAMP.map(rgb);
    return Array.from({ length: STEPS }, (_, k) => {
      const at = (from + ((to - from) * k) / (STEPS - 1)) * (stops.length - 1), low = Math.min(Math.floor(at), stops.length - 2);
      return mixed(stops[low], stops[low + 1], at - low);
    });
  }

  function one(n, theme) {
    return { slots: new Uint8Array(n), palette: [theme.fill], entries: [] };
  }

  function numbers(values, say, theme, ends) {
    const n = values.length, slots = new Uint8Array(n);
    let [low, high] = ends || [NaN, NaN];
    if (!ends) {
      const known = Float64Array.from(values.filter(Number.isFinite)).sort();
      if (known.length) { low = known[Math.floor(0.01 * (known.length - 1))]; high = known[Math.ceil(0.99 * (known.length - 1))]; }
      if (known.length && !(high > low)) { low = known[0]; high = known[known.length - 1]; }
    }
    const span = high - low || 1;
    let missing = 0;
    for (let i = 0; i < n; i += 1) {
      const v = values[i];
      if (Number.isNaN(v)) { slots[i] = STEPS; missing += 1; } else slots[i] = Math.min(Math.max(((v - low) / span) * STEPS, 0), STEPS - 1);
    }
    const palette = [...ramp(theme), theme.faint];
    const entries = missing ? [{ slot: STEPS, label: "missing", count: missing }] : [];
    return { slots, palette, entries, scale: { low: say(low), high: say(high), colors: palette.slice(0, STEPS).map(css) } };
  }

  function categories(column, theme) {
    const { codes, labels } = column, n = codes.length;
    const counts = new Uint32Array(labels.length + 1);
    for (let i = 0; i < n; i += 1) counts[codes[i] < 0 ? labels.length : codes[i]] += 1;
    const order = [...labels.keys()].filter((k) => counts[k]).sort((a, b) => counts[b] - counts[a] || a - b);
    const shown = order.length > HUES.length ? order.slice(0, HUES.length - 1) : order;
    const slotOf = new Uint8Array(labels.length + 1).fill(HUES.length);
    shown.forEach((code, slot) => { slotOf[code] = slot; });
    slotOf[labels.length] = HUES.length + 1;
    const slots = new Uint8Array(n);
    for (let i = 0; i < n; i += 1) slots[i] = slotOf[codes[i] < 0 ? labels.length : codes[i]];
    const palette = [...HUES.map(rgb), theme.soft, theme.faint];
    const entries = shown.map((code, slot) => ({ slot, label: labels[code], count: counts[code] }));
    const rest = order.slice(shown.length).reduce((sum, code) => sum + counts[code], 0);
    if (rest) entries.push({ slot: HUES.length, label: `${(order.length - shown.length).toLocaleString("en")} others`, count: rest });
    if (counts[labels.length]) entries.push({ slot: HUES.length + 1, label: "missing", count: counts[labels.length] });
    return { slots, palette, entries };
  }

  // By a column ("3"), by how many neighbours a map keeps ("kept"), or all alike ("").
  scatter.coloring = (data, map, choice, theme) => {
    if (choice === "kept") return numbers(map.kept, (v) => `${Math.round(100 * v)} %`, theme, [0, 1]);
    const column = choice === "" ? null : data.columns[Number(choice)];
    if (!column) return one(data.rows.length, theme);
    return column.codes && column.labels ? categories(column, theme) : numbers(column.values, column.say, theme);
  };
  scatter.css = css;
  scatter.mixed = mixed;
})();
