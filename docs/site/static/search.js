// Searches the passages of the site (passages.js), which are loaded with the page: nothing is fetched.
document.addEventListener("DOMContentLoaded", () => {
  const MOST = 60;
  const AROUND = 110;
  const RULES = /^(traceability|rulings)\b/;
  const REFERENCE = /^(adr|api-types|changelog|map|python)\b/;
  const asked = (new URLSearchParams(location.search).get("q") ?? "").trim();
  const status = document.getElementById("search-status");
  const list = document.getElementById("search-results");
  for (const input of document.querySelectorAll('input[name="q"]')) input.value = asked;
  if (!asked) return;

  const simple = (text) => [...text.toLowerCase()].map((letter) => SIMPLIFIED[letter] ?? letter).join("");
  const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

  // A number is found whole, Chinese anywhere, a word from its beginning and in each of its forms.
  const pattern = (word) => {
    if (/\p{Script=Han}/u.test(word)) return literally(word);
    if (/^\d+(\.\w+)*$/.test(word)) return `(?<![\\w.])${literally(word)}(?![\\w]|\\.\\w)`;
    const stem = /^\p{L}{5,}$/u.test(word) ? word.replace(/(ing|ed|es|s|e|ly)$/, "") : word;
    return `(?<![\\p{L}\\p{N}])${literally(stem)}`;
  };
  const words = simple(asked).split(/\s+/).map((word) => word.replace(/^[^\p{L}\p{N}~]+|[^\p{L}\p{N}]+$/gu, "")).filter(Boolean);
  const patterns = words.map((word) => new RegExp(pattern(word), "gu"));
  const whole = words.join(" ");

  const found = [];
  for (const [page, place, title, heading, text] of words.length ? PASSAGES : []) {
    const [inTitle, inHeading, inText] = [title, heading, text].map(simple);
    let score = inHeading === whole ? 40 : inTitle === whole && heading === title ? 30 : inText.includes(whole) ? 4 : 0;
    score += RULES.test(page) ? 6 : REFERENCE.test(page) ? -8 : 0;
    const fits = patterns.every((one) => {
      const [titled, headed, times] = [inTitle, inHeading, inText].map((part) => (part.match(one) ?? []).length);
      score += (headed ? 4 + (10 * whole.length) / heading.length : 0) + (titled ? 3 : 0) + Math.min(times, 3);
      return titled || times;
    });
    if (fits && patterns.some((one) => inText.match(one))) found.push({ page, place, title, heading, text, score });
  }
  found.sort((one, other) => other.score - one.score);

  const marked = (text) => {
    const hits = patterns.flatMap((one) => [...simple(text).matchAll(one)].map((hit) => [hit.index, hit.index + hit[0].length]));
    hits.sort(([one], [other]) => one - other);
    const parts = [];
    let at = 0;
    for (const [from, to] of hits) {
      if (from < at) continue;
      const mark = document.createElement("mark");
      mark.textContent = text.slice(from, to);
      parts.push(text.slice(at, from), mark);
      at = to;
    }
    return [...parts, text.slice(at)];
  };
  const around = (text) => {
    const first = Math.min(...patterns.map((one) => simple(text).search(one)).filter((at) => at >= 0), text.length);
    const from = first > AROUND ? text.indexOf(" ", first - AROUND) + 1 : 0;
    const said = text.slice(from, from + 3 * AROUND);
    return `${from ? "… " : ""}${said}${from + said.length < text.length ? " …" : ""}`;
  };
  for (const { page, place, title, heading, text } of found.slice(0, MOST)) {
    const link = document.createElement("a");
    link.href = place ? `${page}#${encodeURIComponent(place)}` : page;
    link.textContent = heading && heading !== title ? `${heading} — ${title}` : title;
    const said = document.createElement("p");
    said.append(...marked(around(text)));
    const item = document.createElement("li");
    item.append(link, said);
    list.append(item);
  }
  const count = found.length === 1 ? "One passage" : `${found.length} passages`;
  const shown = found.length > MOST ? `; the first ${MOST} are shown` : "";
  status.textContent = found.length ? `${count} for “${asked}”${shown}.` : `Nothing was found for “${asked}”.`;
});
