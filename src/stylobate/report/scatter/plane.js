// One map: points as pixels, what is in view, what is near the pointer.
(() => {
  const scatter = globalThis.stylobateScatter;
  const MARGIN = 0.92, DEEPEST = 400, REACH = 14, MANY = 50000;

  // Points in a grid of cells, so that the nearest one is found without looking at all.
  function index(x, y) {
    const n = x.length, side = Math.max(1, Math.min(512, Math.ceil(Math.sqrt(n / 4))));
    const cell = (v) => Math.min(side - 1, Math.floor(v * side));
    const starts = new Uint32Array(side * side + 1), items = new Uint32Array(n);
    for (let i = 0; i < n; i += 1) starts[cell(y[i]) * side + cell(x[i]) + 1] += 1;
    for (let c = 0; c < side * side; c += 1) starts[c + 1] += starts[c];
    const next = starts.slice(0, -1);
    for (let i = 0; i < n; i += 1) { const c = cell(y[i]) * side + cell(x[i]); items[next[c]] = i; next[c] += 1; }
    return { side, starts, items };
  }

  // A disc as offsets in the picture and how much of each pixel it covers, of 256.
  function disc(radius, width, opacity) {
    const reach = Math.ceil(radius), offsets = [], covers = [];
    for (let dy = -reach; dy <= reach; dy += 1) {
      for (let dx = -reach; dx <= reach; dx += 1) {
        const cover = Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(dx, dy)));
        if (cover > 0.05) { offsets.push(dy * width + dx); covers.push(Math.round(256 * cover * opacity)); }
      }
    }
    return { reach, offsets: Int32Array.from(offsets), covers: Int32Array.from(covers) };
  }

  // Neighbours in the table's order are drawn far apart in time, so that no group covers the others.
  function shuffled(n) {
    const order = Uint32Array.from({ length: n }, (_, i) => i);
    let state = 2463534242;
    for (let i = n - 1; i > 0; i -= 1) {
      state ^= state << 13; state ^= state >>> 17; state ^= state << 5;
      const j = (state >>> 0) % (i + 1), kept = order[i];
      order[i] = order[j]; order[j] = kept;
    }
    return order;
  }

  scatter.Plane = class {
    constructor(canvas, overlay, map, names) {
      Object.assign(this, { canvas, overlay, map, names, x: map.x, y: map.y, n: map.x.length });
      this.context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
      this.over = overlay.getContext("2d");
      this.index = index(this.x, this.y);
      this.order = shuffled(this.n);
      this.hidden = new Uint8Array(256);
      this.frames = 0;
      this.whole();
    }

    whole() { this.cx = 0.5; this.cy = 0.5; this.zoom = 1; }

    // Fit the picture to the room on the page; true if it changed.
    fit() {
      const ratio = Math.min(devicePixelRatio || 1, this.n > MANY ? 1.5 : 2);
      const width = Math.max(1, Math.round(this.canvas.clientWidth * ratio)), height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
      if (this.image && this.image.width === width && this.image.height === height) return false;
      for (const each of [this.canvas, this.overlay]) { each.width = width; each.height = height; }
      this.ratio = ratio;
      this.image = this.context.createImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
      return true;
    }

    get scale() { return this.zoom * MARGIN * Math.min(this.image.width, this.image.height); }
    toPixel(i) { return [(this.x[i] - this.cx) * this.scale + this.image.width / 2, this.image.height / 2 - (this.y[i] - this.cy) * this.scale]; }
    toUnit(px, py) { return [(px - this.image.width / 2) / this.scale + this.cx, (this.image.height / 2 - py) / this.scale + this.cy]; }

    zoomBy(factor, px = this.image.width / 2, py = this.image.height / 2) {
      const [x, y] = this.toUnit(px, py);
      this.zoom = Math.min(Math.max(this.zoom * factor, 0.5), DEEPEST);
      const [after, below] = this.toUnit(px, py);
      this.cx += x - after; this.cy += y - below;
      this.keepInside();
    }

    panBy(dx, dy) { this.cx -= dx / this.scale; this.cy += dy / this.scale; this.keepInside(); }
    keepInside() { this.cx = Math.min(Math.max(this.cx, -0.1), 1.1); this.cy = Math.min(Math.max(this.cy, -0.1), 1.1); }

    draw(coloring, selected, theme) {
      const started = performance.now();
      const { pixels, image } = this, some = selected && selected.count > 0;
      const paper = (255 << 24) | (theme.paper[2] << 16) | (theme.paper[1] << 8) | theme.paper[0];
      pixels.fill(paper >>> 0);
      const crowd = Math.min(1, Math.sqrt(1500 / this.n)), near = Math.min(1.8, this.zoom ** 0.25);
      const radius = Math.max(1, (1.1 + 2.4 * crowd) * near) * this.ratio, opacity = 0.5 + 0.35 * crowd;
      const stamp = disc(radius, image.width, opacity);
      const shades = some ? coloring.palette.map((color) => scatter.mixed(color, theme.paper, 0.82)) : coloring.palette;
      let drawn = this.pass(coloring.slots, shades, stamp, (i) => !some || !selected.mask[i]);
      if (some) drawn += this.pass(coloring.slots, coloring.palette, stamp, (i) => selected.mask[i] === 1);
      this.context.putImageData(image, 0, 0);
      if (this.names) this.write(coloring.slots, radius, theme);
      this.frames += 1;
      this.canvas.dataset.frames = this.frames;
      this.canvas.dataset.drawn = drawn;
      this.canvas.dataset.milliseconds = (performance.now() - started).toFixed(1);
    }

    // Names beside their points, on the first side where they cover nothing; where there is none, no name.
    write(slots, radius, theme) {
      const { context, image, ratio, hidden, n } = this, size = 11 * ratio, gap = radius + 3 * ratio, taken = [];
      context.font = `${size}px system-ui, sans-serif`;
      context.textBaseline = "middle";
      context.fillStyle = scatter.css(theme.ink);
      const free = (box) => box.left >= 0 && box.right <= image.width && box.top >= 0 && box.bottom <= image.height
        && taken.every((each) => box.left > each.right || box.right < each.left || box.top > each.bottom || box.bottom < each.top);
      const boxAt = (x, y, width, height) => ({ left: x, right: x + width, top: y - height / 2, bottom: y + height / 2 });
      const seen = [];
      for (let i = 0; i < n; i += 1) {
        if (hidden[slots[i]]) continue;
        const [px, py] = this.toPixel(i);
        seen.push([i, px, py]);
        taken.push(boxAt(px - radius, py, 2 * radius, 2 * radius));
      }
      let written = 0;
      for (const [i, px, py] of seen) {
        const width = context.measureText(this.names[i]).width;
        const sides = [[px + gap, py], [px - gap - width, py], [px - width / 2, py - gap - size / 2], [px - width / 2, py + gap + size / 2]];
        const place = sides.find(([x, y]) => free(boxAt(x, y, width, size)));
        if (!place) continue;
        context.fillText(this.names[i], ...place);
        taken.push(boxAt(...place, width, size));
        written += 1;
      }
      this.canvas.dataset.named = written;
    }

    pass(slots, palette, stamp, wanted) {
      const { pixels, image, order, x, y, hidden, n } = this, { offsets, covers, reach } = stamp;
      const width = image.width, right = width - reach - 1, bottom = image.height - reach - 1;
      const scale = this.scale, left = width / 2 - this.cx * scale + 0.5, top = image.height / 2 + this.cy * scale + 0.5;
      const reds = palette.map((c) => c[0]), greens = palette.map((c) => c[1]), blues = palette.map((c) => c[2]);
      let drawn = 0;
      for (let k = 0; k < n; k += 1) {
        const i = order[k], slot = slots[i];
        if (hidden[slot] || !wanted(i)) continue;
        const px = Math.floor(x[i] * scale + left), py = Math.floor(top - y[i] * scale);
        if (px < reach || px > right || py < reach || py > bottom) continue;
        const at = py * width + px, r = reds[slot], g = greens[slot], b = blues[slot];
        for (let m = 0; m < offsets.length; m += 1) {
          const where = at + offsets[m], cover = covers[m], was = pixels[where];
          const red = was & 255, green = (was >> 8) & 255, blue = (was >> 16) & 255;
          pixels[where] = -16777216 | ((blue + (((b - blue) * cover) >> 8)) << 16) | ((green + (((g - green) * cover) >> 8)) << 8) | (red + (((r - red) * cover) >> 8));
        }
        drawn += 1;
      }
      return drawn;
    }

    // The row nearest to a pixel, or -1 if none is near.
    nearest(px, py, slots, reach = REACH) {
      const [x, y] = this.toUnit(px, py), radius = (reach * this.ratio) / this.scale, { side, starts, items } = this.index;
      const clip = (v) => Math.min(side - 1, Math.max(0, Math.floor(v * side)));
      let best = -1, least = radius * radius;
      for (let row = clip(y - radius); row <= clip(y + radius); row += 1) {
        for (let col = clip(x - radius); col <= clip(x + radius); col += 1) {
          for (let k = starts[row * side + col]; k < starts[row * side + col + 1]; k += 1) {
            const i = items[k], far = (this.x[i] - x) ** 2 + (this.y[i] - y) ** 2;
            if (far <= least && !this.hidden[slots[i]]) { best = i; least = far; }
          }
        }
      }
      return best;
    }

    // Rows within a polygon of pixels, hidden ones not among them.
    within(polygon, slots) {
      const corners = polygon.map(([px, py]) => this.toUnit(px, py)), mask = new Uint8Array(this.n);
      const xs = corners.map((c) => c[0]), ys = corners.map((c) => c[1]);
      const low = [Math.min(...xs), Math.min(...ys)], high = [Math.max(...xs), Math.max(...ys)];
      for (let i = 0; i < this.n; i += 1) {
        const x = this.x[i], y = this.y[i];
        if (x < low[0] || x > high[0] || y < low[1] || y > high[1] || this.hidden[slots[i]]) continue;
        let inside = false;
        for (let a = 0, b = xs.length - 1; a < xs.length; b = a, a += 1) {
          if (ys[a] > y !== ys[b] > y && x < ((xs[b] - xs[a]) * (y - ys[a])) / (ys[b] - ys[a]) + xs[a]) inside = !inside;
        }
        if (inside) mask[i] = 1;
      }
      return mask;
    }

    // The ring around a row, the outline being drawn, and a cross in the middle for the keyboard.
    drawOver({ row, outline, cross }, theme) {
      const { over, image, ratio } = this;
      over.clearRect(0, 0, image.width, image.height);
      over.strokeStyle = scatter.css(theme.ink);
      over.lineWidth = 1.5 * ratio;
      if (row >= 0) {
        const [px, py] = this.toPixel(row);
        over.beginPath(); over.arc(px, py, 7 * ratio, 0, 2 * Math.PI); over.stroke();
      }
      if (outline && outline.length > 1) {
        over.beginPath();
        outline.forEach(([px, py], k) => (k ? over.lineTo(px, py) : over.moveTo(px, py)));
        over.closePath();
        over.fillStyle = `rgb(${theme.accent.join(" ")} / 0.12)`;
        over.fill(); over.stroke();
      }
      if (cross) {
        const px = image.width / 2, py = image.height / 2, arm = 9 * ratio;
        over.beginPath(); over.moveTo(px - arm, py); over.lineTo(px + arm, py); over.moveTo(px, py - arm); over.lineTo(px, py + arm); over.stroke();
      }
    }
  };
})();
