/** Searches the pages of the site: sections that have every word, those with the words in their heading first. */

const [field, found] = [document.querySelector('input'), document.querySelector('#found')];
const root = document.body.dataset.root;
field.hidden = false;

/** Loads the text of all pages when it is first asked for; a script is loaded from files, too. */
const load = () => {
  if (self.searchIndex !== undefined || document.querySelector('#index') !== null) return;
  const script = Object.assign(document.createElement('script'), { id: 'index' });
  script.src = `${root}search-index.js`;
  script.addEventListener('load', search);
  document.head.append(script);
};

const itemOf = ([target, anchor, title, heading, text], words) => {
  const item = document.createElement('li');
  const link = item.appendChild(document.createElement('a'));
  link.href = `${root}${target}${anchor && `#${anchor}`}`;
  link.textContent = heading === title ? title : `${title}: ${heading}`;
  const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 60);
  item.append(document.createElement('br'), text.slice(at, at + 200));
  return item;
};

const search = () => {
  load();
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.hidden = words.length === 0;
  const weight = ([, , title, heading, text]) => {
    const [head, all] = [heading.toLowerCase(), `${title} ${heading} ${text}`.toLowerCase()];
    if (!words.every((word) => all.includes(word))) return 0;
    return words.every((word) => head.includes(word)) ? 2 : 1;
  };
  const weighed = (self.searchIndex ?? []).map((passage) => ({ passage, by: weight(passage) }));
  const best = weighed.filter(({ by }) => by > 0).sort((one, other) => other.by - one.by);
  const items = best.slice(0, 20).map(({ passage }) => itemOf(passage, words));
  found.replaceChildren(...(items.length > 0 ? items : ['Nothing has all these words.']));
};

field.addEventListener('focus', load);
field.addEventListener('input', search);
