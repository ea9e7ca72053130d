/** Which prefixes of XML are bound to which namespaces while a text is read (Namespaces in XML 1.0). */

import { XML_NAMESPACE, XMLNS_NAMESPACE } from './xml-element';

/** The bindings in force. */
export interface NamespaceBindings {
  /** Undefined where the prefix is not declared. */
  find(prefix: string): string | undefined;
  /** False where the declaration is not allowed (section 3, reserved names; no empty name for a prefix). */
  declare(prefix: string, namespace: string): boolean;
  /** Ends the latest declaration of the prefix. */
  release(prefix: string): void;
}

/** Starts with no default namespace and with the given prefixes. */
export function namespaceBindings(initial: ReadonlyMap<string, string>): NamespaceBindings {
  const bindings = new Map<string, string[]>([
    ['', ['']],
    ['xml', [XML_NAMESPACE]],
  ]);
  for (const [prefix, namespace] of initial) bindings.set(prefix, [namespace]);
  return {
    find: (prefix) => bindings.get(prefix)?.at(-1),
    declare(prefix, namespace) {
      if (!isAllowed(prefix, namespace)) return false;
      const stack = bindings.get(prefix);
      if (stack) stack.push(namespace);
      else bindings.set(prefix, [namespace]);
      return true;
    },
    release: (prefix) => {
      bindings.get(prefix)?.pop();
    },
  };
}

function isAllowed(prefix: string, namespace: string): boolean {
  if (prefix === 'xml' || namespace === XML_NAMESPACE) {
    return prefix === 'xml' && namespace === XML_NAMESPACE;
  }
  if (prefix === 'xmlns' || namespace === XMLNS_NAMESPACE) return false;
  return prefix === '' || namespace !== '';
}
