#!/usr/bin/env node
/** The program `spec-first`: checks, compares, tests and serves OpenAPI documents, and writes what programs need of them. */

import nodeModule from 'node:module';
import { programVersion } from '../base/text/program-version';
import { runInProcess, runProgram } from './command/run-program';
import { commands } from './commands';

// What was compiled once loads faster from then on, with Node.js 22.1 and newer.
const enableCompileCache: unknown = Reflect.get(nodeModule, 'enableCompileCache');
if (typeof enableCompileCache === 'function') enableCompileCache();

const program = {
  name: 'spec-first',
  description:
    'Makes OpenAPI documents act: checks, compares, tests and serves them, and writes types and handlers',
  version: programVersion(),
  firstSteps: `To begin:
  spec-first serve api.yaml   answer requests to the API of a document, by mocks
  spec-first check api.yaml   list what is wrong in it, and what to write
  spec-first new shop         begin a service: a document, its types, handlers and a server`,
  commands,
};

void runInProcess((context) => runProgram(program, process.argv.slice(2), context));
