// The points and cells of a page of maps: one block of bytes, deflated, in base64.
(() => {
  const scatter = (globalThis.stylobateScatter = {});
  const KINDS = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f4: Float32Array, f8: Float64Array };

  async function inflated(text) {
    const packed = atob(text);
    const bytes = new Uint8Array(packed.length);
    for (let i = 0; i < bytes.length; i += 1) bytes[i] = packed.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // Numbers lie in planes of bytes: the first byte of each, then the second of each.
  function array(bytes, start, place) {
    const kind = KINDS[place.type], size = kind.BYTES_PER_ELEMENT, n = place.length;
    const out = new Uint8Array(n * size);
    for (let b = 0; b < size; b += 1) {
      const from = start + place.at + b * n;
      for (let i = 0; i < n; i += 1) out[i * size + b] = bytes[from + i];
    }
    return new kind(out.buffer);
  }

  scatter.numberText = (value) => {
    if (Number.isNaN(value)) return "missing";
    if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
    const size = Math.abs(value);
    const text = size >= 1e15 || (size > 0 && size < 1e-4) ? value.toExponential(3) : String(Number(value.toPrecision(6)));
    return text.replace("-", "−");
  };

  function dateText(days) {
    if (!Number.isFinite(days) || Math.abs(days) > 1e8) return Number.isNaN(days) ? "missing" : scatter.numberText(days);
    return new Date(Math.round(days * 864e5)).toISOString().replace("T", " ").replace(/(:00)?\.000Z$|Z$/, "").replace(/ 00:00$/, "");
  }

  // A column: its text of a row, and either numbers (missing: NaN) or codes (missing: -1) of labels.
  function column(told, read) {
    if (told.type === "category") {
      const raw = read(told.codes), none = 2 ** (8 * raw.BYTES_PER_ELEMENT) - 1;
      const codes = Int32Array.from(raw, (code) => (code === none ? -1 : code));
      return { ...told, codes, text: (i) => (codes[i] < 0 ? "missing" : told.labels[codes[i]]) };
    }
    let values = read(told.values);
    if (told.codes) {
      const raw = read(told.codes), none = 2 ** (8 * raw.BYTES_PER_ELEMENT) - 1, by = values;
      values = Float64Array.from(raw, (code) => (code === none ? NaN : by[code]));
    }
    const rounded = (value) => scatter.numberText(Number(value.toPrecision(5)));
    const say = told.type === "date" ? dateText : told.codes ? scatter.numberText : rounded;
    return { ...told, values, say, text: (i) => say(values[i]) };
  }

  scatter.decode = async (text) => {
    const bytes = await inflated(text);
    const length = new DataView(bytes.buffer).getUint32(0, true);
    const told = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    const read = (place) => array(bytes, 4 + length, place);
    const unit = (place) => Float32Array.from(read(place), (step) => step / 65535);
    return {
      rows: read(told.rows),
      color: told.color,
      names: told.names,
      columns: told.columns.map((each) => column(each, read)),
      maps: told.maps.map((each) => ({ name: each.name, x: unit(each.x), y: unit(each.y), kept: Float64Array.from(read(each.kept), (k) => k / 250) })),
    };
  };
})();
