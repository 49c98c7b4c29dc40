"use strict";
(() => {
  const root = document.documentElement;

  /* Light and dark: the reader's system decides until the switch is used. */
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const button = document.getElementById("theme");
  const isDark = () => (root.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
  const nameTheme = () => { button.textContent = isDark() ? "Light page" : "Dark page"; };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    nameTheme();
  });
  dark.addEventListener("change", nameTheme);
  button.hidden = false;
  nameTheme();

  /* Charts, one after the other, so that the page can be read meanwhile. */
  const config = JSON.parse(document.getElementById("chart-config").textContent);
  const draw = async (plot) => {
    const spec = JSON.parse(document.getElementById(plot.dataset.spec).textContent);
    const limit = Math.round(Math.min(320, Math.max(110, plot.clientWidth * 0.38)));
    const own = {...config, axis: {...config.axis, labelLimit: limit}};
    own.legend = {...config.legend, labelLimit: Math.max(120, plot.clientWidth - 60)};
    if (plot.clientWidth < 420) own.legend.columns = 2;
    await vegaEmbed(plot, spec, {actions: false, renderer: "svg", ast: true, config: own});
    const svg = plot.querySelector("svg");
    if (svg) svg.setAttribute("focusable", "false");
  };
  const drawAll = async () => {
    for (const plot of document.querySelectorAll(".plot")) {
      try {
        await draw(plot);
      } catch (error) {
        plot.textContent = "This chart could not be drawn; its numbers stand below.";
        console.error(error);
      }
      await new Promise((done) => setTimeout(done, 0));
    }
    root.dataset.charts = "drawn";
  };
  drawAll();

  /* A chart as a file: its colours as they are now, in place of the page's variables. */
  for (const save of document.querySelectorAll("[data-save]")) {
    save.hidden = false;
    save.addEventListener("click", () => {
      const svg = save.closest("figure").querySelector(".plot svg");
      if (!svg) return;
      const style = getComputedStyle(root);
      const copy = svg.cloneNode(true);
      copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
      copy.style.background = style.getPropertyValue("--panel").trim();
      const source = copy.outerHTML.replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([source], {type: "image/svg+xml"}));
      link.download = `${save.dataset.save}.svg`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }

  /* Tables that sort by any column: numbers by size, texts by name, what has no value last. */
  const keyOf = (cell, isNumber) => {
    if (!isNumber) return cell.textContent.trim();
    if (cell.dataset.key !== undefined) return Number(cell.dataset.key);
    const text = cell.textContent.replace(/[,%\s]|pp/g, "").replace("−", "-");
    return text === "" || Number.isNaN(Number(text)) ? null : Number(text);
  };
  const compare = (a, b) =>
    typeof a === "number" ? a - b : a.localeCompare(b, "en", {numeric: true});
  for (const table of document.querySelectorAll("table")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
      const isNumber = head.classList.contains("number");
      const before = head.getAttribute("aria-sort");
      const downward = before === "none" ? isNumber : before === "ascending";
      heads.forEach((other) => other.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", downward ? "descending" : "ascending");
      const body = table.tBodies[0];
      const rows = [...body.rows].map((row) => [keyOf(row.cells[column], isNumber), row]);
      rows.sort(([a], [b]) => {
        if (a === null || b === null) return (a === null) - (b === null);
        return downward ? compare(b, a) : compare(a, b);
      });
      body.append(...rows.map(([, row]) => row));
    }));
  }

  /* What is searched for, and the groups that are chosen. */
  const narrow = (id) => {
    const table = document.getElementById(id);
    const search = document.querySelector(`[data-search="${id}"]`);
    const words = (search ? search.value : "").toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = [...document.querySelectorAll(`[data-filter="${id}"]`)]
      .filter((select) => select.value)
      .map((select) => [Number(select.dataset.column), select.value]);
    let shown = 0;
    for (const row of table.tBodies[0].rows) {
      const text = row.textContent.toLowerCase();
      const fits = words.every((word) => text.includes(word)) &&
        chosen.every(([column, value]) => row.cells[column].textContent === value);
      row.hidden = !fits;
      shown += fits;
    }
    const count = document.querySelector(`[data-count="${id}"]`);
    count.textContent = `${shown.toLocaleString("en")} of ${table.tBodies[0].rows.length.toLocaleString("en")} rows`;
  };
  for (const tools of document.querySelectorAll(".table-tools")) {
    const id = tools.querySelector("[data-count]").dataset.count;
    if (!tools.querySelector("input, select")) continue;
    tools.hidden = false;
    tools.addEventListener("input", () => narrow(id));
    narrow(id);
  }

  /* Commands that can be copied, where the browser lets them. */
  if (navigator.clipboard) {
    for (const command of document.querySelectorAll(".command")) {
      const copy = document.createElement("button");
      copy.type = "button";
      copy.className = "copy";
      copy.textContent = "Copy";
      copy.addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(command.querySelector("code").textContent);
          copy.textContent = "Copied";
        } catch {
          copy.textContent = "Not allowed here";
        }
        setTimeout(() => { copy.textContent = "Copy"; }, 1500);
      });
      command.append(copy);
    }
  }

  /* The contents follow the reader. */
  const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]));
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      links.forEach((link) => link.classList.remove("here"));
      const link = links.get(entry.target.id);
      if (link) link.classList.add("here");
    }
  }, {rootMargin: "0px 0px -75% 0px"});
  links.forEach((_, id) => {
    const heading = document.getElementById(id);
    if (heading) seen.observe(heading);
  });
})();
