// Fingers, mouse, wheel and keys on one map: moving, zooming, drawing outlines.
(() => {
  const scatter = globalThis.stylobateScatter;

  scatter.listen = (plane, { mode, changed, hover, selectWithin, selectShown, clear }) => {
    const { overlay } = plane, held = new Map();
    let outline = null, last = null, spread = 0;
    const at = (event) => {
      const box = overlay.getBoundingClientRect();
      return [(event.clientX - box.left) * plane.ratio, (event.clientY - box.top) * plane.ratio];
    };
    const rectangle = ([a, b], [c, d]) => [[a, b], [c, b], [c, d], [a, d]];
    const apart = () => {
      const [one, other] = [...held.values()];
      return { far: Math.hypot(one[0] - other[0], one[1] - other[1]), middle: [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2] };
    };

    overlay.addEventListener("wheel", (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 16 : 1;
      plane.zoomBy(Math.exp(-Math.max(-200, Math.min(200, event.deltaY * lines)) / 300), ...at(event));
      changed();
    }, { passive: false });

    overlay.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      overlay.setPointerCapture(event.pointerId);
      held.set(event.pointerId, at(event));
      if (held.size === 2) { outline = null; spread = apart().far; last = apart().middle; return; }
      last = at(event);
      const how = event.shiftKey ? "rectangle" : mode();
      outline = how === "move" ? null : { how, start: last, points: [last] };
    });

    overlay.addEventListener("pointermove", (event) => {
      const here = at(event);
      if (!held.has(event.pointerId)) { hover(here, event); return; }
      held.set(event.pointerId, here);
      if (held.size === 2) {
        const { far, middle } = apart();
        plane.panBy(middle[0] - last[0], middle[1] - last[1]);
        if (spread > 0 && far > 0) plane.zoomBy(far / spread, ...middle);
        spread = far; last = middle;
      } else if (outline) {
        if (outline.how === "rectangle") outline.points = rectangle(outline.start, here);
        else if (Math.hypot(here[0] - last[0], here[1] - last[1]) > 2) { outline.points.push(here); last = here; }
        hover(null, event, outline.points);
        return;
      } else { plane.panBy(here[0] - last[0], here[1] - last[1]); last = here; }
      hover(null, event);
      changed();
    });

    const released = (event) => {
      if (!held.delete(event.pointerId)) return;
      if (held.size === 1) { last = [...held.values()][0]; return; }
      if (outline && event.type === "pointerup" && outline.points.length > 2) selectWithin(outline.points, event.ctrlKey || event.metaKey);
      outline = null;
      hover(null, event);
    };
    overlay.addEventListener("pointerup", released);
    overlay.addEventListener("pointercancel", released);
    overlay.addEventListener("pointerleave", (event) => { if (!held.size) hover(null, event); });
    overlay.addEventListener("dblclick", (event) => { plane.zoomBy(2, ...at(event)); changed(); });

    const step = 60;
    const keys = {
      ArrowLeft: () => plane.panBy(step * plane.ratio, 0), ArrowRight: () => plane.panBy(-step * plane.ratio, 0),
      ArrowUp: () => plane.panBy(0, step * plane.ratio), ArrowDown: () => plane.panBy(0, -step * plane.ratio),
      "+": () => plane.zoomBy(1.5), "=": () => plane.zoomBy(1.5), "-": () => plane.zoomBy(1 / 1.5), 0: () => plane.whole(),
      Enter: selectShown, Escape: clear,
    };
    overlay.addEventListener("keydown", (event) => {
      if (!Object.hasOwn(keys, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
      changed();
      hover([plane.image.width / 2, plane.image.height / 2], event, null, true);
    });
    overlay.addEventListener("blur", (event) => hover(null, event));
  };
})();
