// A page of two maps: what is hovered, selected, hidden and coloured is the same on both.
(() => {
  const scatter = globalThis.stylobateScatter;
  const CELLS = 14; // of a row in the tooltip

  async function start(root) {
    const part = (role) => root.querySelector(`[data-role="${role}"]`);
    const data = await scatter.decode(part("data").textContent);
    part("data").remove();
    const n = data.rows.length, selected = { mask: new Uint8Array(n), count: 0 };
    const figures = [...root.querySelectorAll("[data-plane]")];
    const planes = figures.map((figure, k) => new scatter.Plane(...figure.querySelectorAll("canvas"), data.maps[k], data.names));
    const stale = new Set(); // maps to draw in the next frame
    let theme = scatter.theme(), colorings = [], mode = "move", hovered = -1;

    const colorSelect = part("color");
    const draw = () => {
      for (const k of stale) { planes[k].fit(); planes[k].draw(colorings[k], selected, theme); planes[k].drawOver({ row: hovered }, theme); }
      stale.clear();
    };
    const redraw = (which) => {
      if (!stale.size) requestAnimationFrame(draw);
      for (const k of which === undefined ? planes.keys() : [which]) stale.add(k);
    };

    function recolor() {
      theme = scatter.theme();
      colorings = planes.map((plane) => scatter.coloring(data, plane.map, colorSelect.value, theme));
      showLegend();
      redraw();
    }

    function showLegend() {
      const coloring = colorings[0], legend = part("legend"), shown = [];
      const scale = coloring.scale;
      if (scale) {
        const bar = document.createElement("span"), [low, high] = [scale.low, scale.high].map((text) => Object.assign(document.createElement("span"), { textContent: text }));
        bar.className = "ramp";
        bar.style.background = `linear-gradient(to right, ${scale.colors.join(", ")})`;
        shown.push(low, bar, high);
      }
      for (const { slot, label, count } of coloring.entries) {
        const button = document.createElement("button"), dot = document.createElement("span");
        dot.className = "dot";
        dot.style.background = scatter.css(coloring.palette[slot]);
        button.type = "button";
        button.setAttribute("aria-pressed", String(!planes[0].hidden[slot]));
        button.title = "Show or hide these rows";
        button.append(dot, `${label} `, Object.assign(document.createElement("small"), { textContent: count.toLocaleString("en") }));
        button.addEventListener("click", () => {
          const hide = planes[0].hidden[slot] ? 0 : 1;
          for (const plane of planes) plane.hidden[slot] = hide;
          button.setAttribute("aria-pressed", String(!hide));
          redraw();
        });
        shown.push(button);
      }
      legend.replaceChildren(...shown);
    }

    function select(mask, add) {
      if (add) for (let i = 0; i < n; i += 1) selected.mask[i] |= mask[i]; else selected.mask = mask;
      selected.count = selected.mask.reduce((sum, each) => sum + each, 0);
      scatter.showSelection(part("selection"), data, selected);
      for (const name of ["clear", "csv"]) root.querySelector(`[data-action="${name}"]`).disabled = !selected.count;
      redraw();
    }
    const selectShown = (k) => {
      const { width, height } = planes[k].image;
      select(planes[k].within([[0, 0], [width, 0], [width, height], [0, height]], colorings[k].slots), false);
    };
    const clear = () => select(new Uint8Array(n), false);

    function showRow(row, figure, px, py) {
      const tip = part("tooltip");
      tip.hidden = row < 0;
      if (row < 0) return;
      const first = data.columns[Number(colorSelect.value)], rest = data.columns.filter((each) => each !== first);
      const listed = [first && colorSelect.value !== "" && colorSelect.value !== "kept" ? first : null, ...rest].filter(Boolean).slice(0, CELLS);
      const lines = [["row", data.rows[row].toLocaleString("en")], ...listed.map((each) => [each.name, each.text(row)]), ...data.maps.map((map) => [`neighbours kept, ${map.name}`, `${Math.round(100 * map.kept[row])} %`])];
      tip.replaceChildren(...lines.map(([key, value]) => {
        const line = document.createElement("div");
        line.append(Object.assign(document.createElement("dt"), { textContent: key }), Object.assign(document.createElement("dd"), { textContent: value }));
        return line;
      }));
      const box = figure.getBoundingClientRect(), around = root.getBoundingClientRect(), x = box.left - around.left + px, y = box.top - around.top + py;
      tip.style.left = `${Math.max(0, x + 16 + tip.offsetWidth > around.width ? x - tip.offsetWidth - 16 : x + 16)}px`;
      tip.style.top = `${Math.max(0, y - tip.offsetHeight / 2)}px`;
    }

    planes.forEach((plane, k) => {
      scatter.listen(plane, {
        mode: () => mode,
        changed: () => redraw(k),
        selectShown: () => selectShown(k),
        selectWithin: (points, add) => select(plane.within(points, colorings[k].slots), add),
        clear,
        hover(here, event, outline, cross) {
          hovered = here ? plane.nearest(...here, colorings[k].slots, cross ? 60 : undefined) : -1;
          planes.forEach((each) => each.drawOver({ row: hovered, outline: each === plane ? outline : null, cross: cross && each === plane }, theme));
          showRow(hovered, plane.canvas, ...(here ? [here[0] / plane.ratio, here[1] / plane.ratio] : [0, 0]));
        },
      });
    });

    function picture() {
      const pad = 16 * planes[0].ratio, line = 22 * planes[0].ratio, { width, height } = planes[0].image;
      const page = Object.assign(document.createElement("canvas"), { width: 2 * width + 3 * pad, height: height + 3 * line + 2 * pad });
      const ink = page.getContext("2d");
      ink.fillStyle = scatter.css(theme.paper); ink.fillRect(0, 0, page.width, page.height);
      ink.font = `${13 * planes[0].ratio}px system-ui, sans-serif`;
      ink.textBaseline = "middle";
      planes.forEach((plane, k) => {
        ink.fillStyle = scatter.css(theme.ink); ink.fillText(plane.map.name, pad + k * (width + pad), pad);
        ink.drawImage(plane.canvas, pad + k * (width + pad), pad + line);
      });
      let x = pad;
      const y = pad + 2 * line + height, scale = colorings[0].scale, write = (text) => { ink.fillStyle = scatter.css(theme.ink); ink.fillText(text, x, y); x += ink.measureText(text).width + pad / 2; };
      write(colorSelect.value === "" ? "" : `${colorSelect.selectedOptions[0].textContent}:`);
      if (scale) {
        write(scale.low);
        for (const color of scale.colors) { ink.fillStyle = color; ink.fillRect(x, y - 6 * planes[0].ratio, 3 * planes[0].ratio, 12 * planes[0].ratio); x += 3 * planes[0].ratio; }
        x += pad / 2; write(scale.high);
      }
      for (const { slot, label } of colorings[0].entries) {
        if (planes[0].hidden[slot]) continue;
        ink.fillStyle = scatter.css(colorings[0].palette[slot]);
        ink.beginPath(); ink.arc(x + 5 * planes[0].ratio, y, 5 * planes[0].ratio, 0, 2 * Math.PI); ink.fill();
        x += 14 * planes[0].ratio; write(label.slice(0, 24));
      }
      page.toBlob((blob) => scatter.download(blob, "map.png"), "image/png");
    }

    const actions = {
      clear,
      png: picture,
      csv: () => scatter.download(new Blob([scatter.rowsText(data, selected)], { type: "text/csv" }), "selected-rows.csv"),
      "zoom-in": (k) => planes[k].zoomBy(1.6), "zoom-out": (k) => planes[k].zoomBy(1 / 1.6), whole: (k) => planes[k].whole(), shown: (k) => selectShown(k),
    };
    for (const name of ["move", "rectangle", "lasso"]) {
      actions[name] = () => {
        mode = name;
        root.dataset.mode = name;
        for (const each of ["move", "rectangle", "lasso"]) root.querySelector(`[data-action="${each}"]`).setAttribute("aria-pressed", String(each === name));
      };
    }
    root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-action]");
      if (!button) return;
      const k = figures.indexOf(button.closest("[data-plane]"));
      actions[button.dataset.action](k);
      if (k >= 0) redraw(k);
    });
    colorSelect.addEventListener("change", () => { for (const plane of planes) plane.hidden.fill(0); recolor(); });
    new MutationObserver(recolor).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolor);
    new ResizeObserver(() => redraw()).observe(planes[0].canvas);

    colorSelect.append(...data.columns.map((each, k) => Object.assign(document.createElement("option"), { value: String(k), textContent: each.name })));
    const wanted = data.columns.findIndex((each) => each.name === data.color);
    colorSelect.value = wanted < 0 ? "" : String(wanted);
    actions.move();
    part("waiting").hidden = true;
    part("tools").hidden = false;
    recolor();
    clear();
    draw();
    root.dataset.ready = "yes";
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const root of document.querySelectorAll("[data-scatter]")) {
      const waiting = root.querySelector('[data-role="waiting"]');
      waiting.textContent = "Drawing …";
      start(root).catch((error) => { waiting.hidden = false; waiting.textContent = `The maps cannot be drawn in this browser: ${error.message}`; });
    }
  });
})();
