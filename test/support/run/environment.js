/**
 * Runs tests in the context of Node.js itself instead of in one of their own for each file: what modules keep stays
 * theirs from file to file (see runtime.js), and an Array or Error of Node.js is one of the test's too.
 */

const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** What jest or a test file puts in the place of Node.js's own. */
const keep = () => ({ console: globalThis.console, exit: process.exit, env: { ...process.env } });

const putBack = ({ console, exit, env }) => {
  globalThis.console = console;
  process.exit = exit;
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
};

/** Handlers of jest-circus for the events of one file. */
const eventHandlers = Symbol.for('EVENT_HANDLERS');

class MainContextEnvironment {
  constructor({ projectConfig }) {
    this.kept = keep();
    this.globals = projectConfig.globals;
    this.global = Object.assign(globalThis, this.globals);
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    // Jest asks for 100, and every expect() collects them.
    Error.stackTraceLimit = 20;
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    for (const name of Object.keys(this.globals)) delete globalThis[name];
    delete globalThis[eventHandlers];
    putBack(this.kept);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** There is none: runtime.js does not ask for it. */
  getVmContext() {
    return null;
  }
}

module.exports = MainContextEnvironment;
