/**
 * Loads modules by the `require` of Node.js: packages and the program once per worker process of jest, and what is below
 * `test/` again for each test file. (Jest's own runtime loads everything again for each file, which took most of a run.)
 */

const asyncHooks = require('node:async_hooks');
const { createRequire, Module } = require('node:module');
const { join, sep } = require('node:path');
const { readFileSync } = require('node:fs');
const { default: JestRuntime } = require('jest-runtime');

/** What translates, and counts what is covered, is of the test file that runs now. */
let translate;

const sourceMaps = new Map();
const translations = new Map();

Module._extensions['.ts'] = (module, path) => module._compile(translate(path), path);

const globalsPath = require.resolve('@jest/globals');
const initializer = createRequire(require.resolve('jest-circus')).resolve('./jestAdapterInit');

/** Where jest-circus keeps which test runs. */
let testContext;

/** Loads jest-circus for one test file. */
const loadInitializer = () => {
  const { AsyncLocalStorage } = asyncHooks;
  asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
    constructor(...options) {
      super(...options);
      testContext = this;
    }
  };
  try {
    return require(initializer);
  } finally {
    asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
  }
};

/** Forgets what belongs to one test file. */
const forgetTests = (rootFolder) => {
  // Each one that was used is asked at every promise from then on.
  testContext?.disable();
  const tests = join(rootFolder, 'test') + sep;
  const isOfTest = (path) =>
    (path.startsWith(tests) && path.endsWith('.ts')) || path === initializer;
  for (const path of Object.keys(require.cache).filter(isOfTest)) delete require.cache[path];
};

/** The counters of each module that this worker process has told of, by their position. */
const told = new WeakMap();

/**
 * Takes out what was counted in a module since this was last taken out; undefined where nothing ran that had not run before.
 * Jest copies, sends and adds up what each test file gives, some megabytes; how often something ran is not asked.
 *
 * @param counted - as istanbul keeps it: counts of statements and functions, and lists of counts of branches
 */
const takeCounts = (counted) => {
  const counters = [counted.s, counted.f, counted.b];
  const counts = counters.flatMap((counter) => Object.values(counter)).flat();
  const known = told.get(counted) ?? new Set();
  const ran = counts.flatMap((count, index) => (count > 0 && !known.has(index) ? index : []));
  if (ran.length === 0) return undefined;
  told.set(counted, new Set([...known, ...ran]));
  const taken = structuredClone(counted);
  for (const counter of counters) {
    for (const [key, count] of Object.entries(counter)) {
      counter[key] = Array.isArray(count) ? count.map(() => 0) : 0;
    }
  }
  return taken;
};

class SharingRuntime extends JestRuntime {
  constructor(config, environment, resolver, transformer, cacheFS, coverageOptions, ...others) {
    super(config, environment, resolver, transformer, cacheFS, coverageOptions, ...others);
    translate = (path) => {
      const known = translations.get(path);
      if (known !== undefined) return known;
      const { code, sourceMapPath } = transformer.transform(
        path,
        coverageOptions,
        readFileSync(path, 'utf8'),
      );
      if (sourceMapPath) sourceMaps.set(path, sourceMapPath);
      translations.set(path, code);
      return code;
    };
    forgetTests(config.rootDir);
  }

  setGlobalsForRuntime(globals) {
    super.setGlobalsForRuntime(globals);
    require.cache[globalsPath] = {
      exports: this.requireModuleOrMock(globalsPath, '@jest/globals'),
    };
  }

  requireModule(from, name = from) {
    return createRequire(from)(name);
  }

  requireInternalModule(from, name = from) {
    return from === initializer ? loadInitializer() : createRequire(from)(name);
  }

  getSourceMaps() {
    return sourceMaps;
  }

  getAllCoverageInfoCopy() {
    const taken = Object.entries(globalThis.__coverage__ ?? {}).map(([path, counted]) => [
      path,
      takeCounts(counted),
    ]);
    return Object.fromEntries(taken.filter(([, counted]) => counted !== undefined));
  }
}

module.exports = SharingRuntime;
