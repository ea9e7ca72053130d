/** The colours of all pages, by day and by night; text on them keeps a contrast of 4.5:1 and more (WCAG 2.2, 1.4.3). */

/** Custom properties, to stand at the top of a stylesheet. */
export const palette = `:root {
  color-scheme: light dark;
  --paper: #fbfbf9; --sheet: #fff; --ink: #1d2724; --soft: #55625d; --line: #d9dfdb;
  --accent: #1b664d; --accent-deep: #14503c; --wash: #eef4f0; --focus: #0b62c4; --bad: #a3271c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #141a18; --sheet: #1b2320; --ink: #e6ece9; --soft: #a3b1ab; --line: #36423d;
    --accent: #7bd0ae; --accent-deep: #12392c; --wash: #202b27; --focus: #7fb4ff; --bad: #ff9d92;
  }
}
`;

/** The header that pages of a service share. */
export const siteStyle = `.site {
  display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: center; justify-content: space-between;
  padding: .75rem max(1rem, calc((100vw - 76rem) / 2)); background: var(--accent-deep);
  font: 500 1rem/1.5 system-ui, sans-serif;
}
.site a { color: #fff; text-decoration: none; padding: .25rem 0; }
.site a:hover, .site a[aria-current] { text-decoration: underline; text-underline-offset: .3em; }
.site a:focus-visible { outline: 3px solid #fff; outline-offset: 3px; border-radius: 2px; }
.site-home { font-weight: 700; }
.site nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
`;
