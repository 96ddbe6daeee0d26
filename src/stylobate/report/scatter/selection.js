// Some rows against all others: what sets them apart, a table of them, a file of them.
(() => {
  const scatter = globalThis.stylobateScatter;
  const LEAST = 0.3, MOST = 8, CATEGORIES = 50, SHOWN = 50, LIMIT = 10;

  // Cohen's d, the difference of two means in pooled standard deviations.
  function amount(column, mask) {
    const { values } = column, count = [0, 0], mean = [0, 0], scatterOf = [0, 0];
    for (let i = 0; i < values.length; i += 1) {
      const v = values[i];
      if (!Number.isFinite(v)) continue;
      const side = mask[i], off = v - mean[side];
      count[side] += 1; mean[side] += off / count[side]; scatterOf[side] += off * (v - mean[side]);
    }
    if (!count[0] || !count[1]) return [];
    const difference = mean[1] - mean[0], spread = Math.sqrt((scatterOf[0] + scatterOf[1]) / Math.max(count[0] + count[1] - 2, 1));
    const flat = spread <= 1e-12 * Math.max(Math.abs(mean[0]), Math.abs(mean[1]));
    const effect = flat ? Math.sign(difference) * LIMIT : difference / spread;
    const sides = column.type === "date" ? ["later", "earlier"] : ["higher", "lower"];
    const brief = (v) => (column.type === "date" ? column.say(v).slice(0, 10) : scatter.numberText(Number(v.toPrecision(3))));
    return [{ effect, words: `${sides[effect > 0 ? 0 : 1]} ${column.name}: ${brief(mean[1])} against ${brief(mean[0])} (d = ${effect.toFixed(1).replace("-", "−")})` }];
  }

  // Cohen's h of the shares of every common category, on the scale of d.
  function shares(column, mask, inside) {
    const { codes, labels } = column, tally = [new Uint32Array(labels.length + 1), new Uint32Array(labels.length + 1)];
    for (let i = 0; i < codes.length; i += 1) tally[mask[i]][codes[i] < 0 ? labels.length : codes[i]] += 1;
    const outside = codes.length - inside, found = [];
    for (let code = 0; code <= labels.length; code += 1) {
      if (!tally[1][code] && tally[0][code] < outside / CATEGORIES) continue;
      const a = tally[1][code] / inside, b = tally[0][code] / outside;
      const effect = 2 * Math.asin(Math.sqrt(a)) - 2 * Math.asin(Math.sqrt(b));
      const says = code === labels.length ? "is missing" : `is ${labels[code]}`;
      found.push({ effect, words: `${column.name} ${says}: ${Math.round(100 * a)} % against ${Math.round(100 * b)} %` });
    }
    const more = found.filter((each) => each.effect >= LEAST); // what they have less of follows from it
    return (more.length ? more : found).sort((p, q) => Math.abs(q.effect) - Math.abs(p.effect)).slice(0, 2);
  }

  scatter.traits = (data, { mask, count }) => {
    if (!count || count === mask.length) return [];
    const found = data.columns.flatMap((column) => (column.labels ? shares(column, mask, count) : amount(column, mask)));
    return found.filter((each) => Math.abs(each.effect) >= LEAST).sort((p, q) => Math.abs(q.effect) - Math.abs(p.effect)).slice(0, MOST);
  };

  const made = (tag, text, options = {}) => Object.assign(document.createElement(tag), { textContent: text, ...options });

  scatter.showSelection = (panel, data, selected) => {
    const { mask, count } = selected, n = mask.length;
    const part = (role) => panel.querySelector(`[data-role="${role}"]`);
    part("selected").textContent = count ? `${count.toLocaleString("en")} of ${n.toLocaleString("en")} rows selected (${((100 * count) / n).toFixed(count / n < 0.01 ? 2 : 0)} %)` : "Nothing is selected: draw a rectangle or a lasso around points, or select what is shown.";
    const traits = scatter.traits(data, selected);
    const said = traits.map((each) => made("li", each.words));
    if (count && !said.length) said.push(made("li", count === n ? "These are all rows." : "No single column sets them apart."));
    part("traits").replaceChildren(...said);
    const table = part("table");
    table.replaceChildren();
    table.hidden = !count;
    if (!count) return;
    const head = made("tr", ""), body = document.createElement("tbody");
    head.append(...["Row", ...data.columns.map((each) => each.name)].map((name) => made("th", name, { scope: "col" })));
    let shown = 0;
    for (let i = 0; i < n && shown < SHOWN; i += 1) {
      if (!mask[i]) continue;
      shown += 1;
      const line = made("tr", "");
      line.append(made("th", data.rows[i].toLocaleString("en"), { scope: "row" }), ...data.columns.map((each) => made("td", each.text(i), { className: each.values ? "n" : "" })));
      body.append(line);
    }
    const top = document.createElement("thead");
    top.append(head);
    table.append(made("caption", "Selected rows"), top, body);
    part("more").textContent = count > SHOWN ? `The first ${SHOWN}; the file of selected rows has all.` : "";
  };

  // A leading quote keeps a spreadsheet from running a text as a formula.
  const inert = (text) => (/^[=+\-@\t\r]/.test(text) && !Number.isFinite(Number(text)) ? `'${text}` : text);
  const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  scatter.rowsText = (data, { mask }) => {
    const lines = [["row", ...data.columns.map((each) => each.name)].map(quoted).join(",")];
    const cell = (column, i) => {
      if (column.labels) return column.codes[i] < 0 ? "" : quoted(inert(column.labels[column.codes[i]]));
      if (column.type === "date") return Number.isNaN(column.values[i]) ? "" : column.text(i);
      if (Number.isNaN(column.values[i])) return "";
      return String(column.codes ? column.values[i] : Number(column.values[i].toPrecision(5)));
    };
    for (let i = 0; i < mask.length; i += 1) if (mask[i]) lines.push([data.rows[i], ...data.columns.map((each) => cell(each, i))].join(","));
    return `${lines.join("\r\n")}\r\n`;
  };

  scatter.download = (blob, name) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
})();
