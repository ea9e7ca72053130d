#!/usr/bin/env node
/** The program `spec-first`: checks, compares, tests and serves OpenAPI documents, and writes what programs need of them. */

import { existsSync, readFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { runInProcess, runProgram } from './command/run-program';
import { commands } from './commands';

/** Reads the version of the package that the program is part of. */
const versionAbove = (folder: string): string => {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return versionAbove(dirname(folder));
  const { version }: { readonly version: string } = JSON.parse(readFileSync(file, 'utf8'));
  return version;
};

// What was compiled once loads faster from then on, with Node.js 22.1 and newer.
const enableCompileCache: unknown = Reflect.get(nodeModule, 'enableCompileCache');
if (typeof enableCompileCache === 'function') enableCompileCache();

const program = {
  name: 'spec-first',
  description:
    'Makes OpenAPI documents act: checks, compares, tests and serves them, and writes types and handlers',
  version: versionAbove(__dirname),
  commands,
};

void runInProcess((context) => runProgram(program, process.argv.slice(2), context));
