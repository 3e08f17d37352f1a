// Tables that can be filtered: a box for text, and a choice for each column whose head has `data-choose`.
document.addEventListener("DOMContentLoaded", () => {
  for (const table of document.querySelectorAll("table.filtered")) {
    const rows = [...table.tBodies[0].rows];
    const bar = document.createElement("div");
    bar.className = "filters";
    const text = document.createElement("input");
    text.type = "search";
    text.placeholder = "Filter";
    text.setAttribute("aria-label", "Filter the table by text");
    bar.append(text);
    const choices = [...table.tHead.rows[0].cells].flatMap((head, column) => {
      if (head.dataset.choose === undefined) return [];
      const of = (row) => (row.cells[column].dataset.values ?? row.cells[column].textContent).split("|");
      const select = document.createElement("select");
      const name = head.textContent.trim();
      select.setAttribute("aria-label", name);
      select.append(new Option(`${name}: all`, ""));
      for (const value of [...new Set(rows.flatMap(of))].filter(Boolean).sort()) select.append(new Option(value, value));
      bar.append(select);
      return [{ select, of }];
    });
    const count = document.createElement("output");
    bar.append(count);
    const apply = () => {
      const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const said = row.textContent.toLowerCase();
        row.hidden = !(
          words.every((word) => said.includes(word)) &&
          choices.every(({ select, of }) => !select.value || of(row).includes(select.value))
        );
        shown += row.hidden ? 0 : 1;
      }
      count.textContent = `${shown} of ${rows.length}`;
    };
    bar.addEventListener("input", apply);
    table.before(bar);
    apply();
  }
});

// A printed page shows what is folded away on the screen.
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((one) => (one.open = true)));
