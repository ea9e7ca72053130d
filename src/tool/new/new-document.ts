/** The document that a new service begins with: items with pictures, in pages, for users. */

import { type Command, Option } from 'commander';
import { stringify } from 'yaml';
import { upgradeText } from '../../document/upgrade/upgrade';
import { versions } from '../../document/versions/versions';

/**
 * Holds a service to a name that is good for its files, its path and its package.
 * @throws Error in one sentence
 */
export const requireUsableName = (name: string): void => {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 50) {
    const rule = 'lower-case letters, digits and single hyphens, at most 50, a letter first';
    throw new Error(`${JSON.stringify(name)} cannot name a service. Use ${rule}.`);
  }
};

/** Settings of a new document. */
export interface DocumentSettings {
  /** Made of the name by default. */
  readonly title?: string;
  /** The version of OpenAPI; the oldest by default. */
  readonly openapi?: string;
  readonly server: string;
}

/** Adds the options of a new document. */
export const withDocumentOptions = (command: Command): Command =>
  command
    .option('--title <title>', 'of the document; its name, where none is given')
    .addOption(
      new Option('--openapi <version>', 'of the document')
        .choices(versions.map(({ name }) => name))
        .default(versions[0]?.name),
    );

/**
 * Writes the document of a new service.
 * @throws Error in one sentence where the title is not usable
 */
export const newDocument = (
  name: string,
  { title: given, openapi, server }: DocumentSettings,
): string => {
  const words = name.replaceAll('-', ' ');
  const title = given ?? words.charAt(0).toUpperCase() + words.slice(1);
  if (title.trim() === '' || /\p{Cc}|[\u2028\u2029]/u.test(title)) {
    throw new Error('The title must be one line of text.');
  }
  const text = template
    .replace('$SERVER', server)
    // As a scalar of YAML on one line.
    .replace('$TITLE', () => stringify(title, { lineWidth: 0 }).trimEnd());
  const version = versions.find((version) => version.name === openapi);
  return version === undefined ? text : upgradeText(name, text, version).text;
};

const template = `openapi: 3.0.3
info:
  title: $TITLE
  description: Keeps items and their pictures. Put what your service is about in their place.
  version: 1.0.0
servers:
  - url: $SERVER
tags:
  - name: item
    description: What the service keeps
# Of every operation, unless it has a line of its own.
security:
  - login: []

paths:
  /items:
    get:
      tags: [item]
      operationId: listItems
      summary: List the items, page by page
      parameters:
        - name: limit
          in: query
          description: The most items of a page
          schema: { type: integer, format: int32, minimum: 1, maximum: 100, default: 20 }
        - name: after
          in: query
          description: The text in \`next\` of the page before; without it, the first page
          schema: { type: string, maxLength: 2000 }
      responses:
        '200':
          description: Items, ordered by id
          content: { application/json: { schema: { $ref: '#/components/schemas/Page' } } }
        '400': { $ref: '#/components/responses/InvalidRequest' }
        default: { $ref: '#/components/responses/UnexpectedError' }
    post:
      tags: [item]
      operationId: createItem
      summary: Create an item
      description: An item without an id gets the next free one.
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Item' }
            example: { name: A first item }
      responses:
        '201':
          description: The item as it is stored
          content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } }
        '400': { $ref: '#/components/responses/InvalidRequest' }
        '409': { $ref: '#/components/responses/IdTaken' }
        default: { $ref: '#/components/responses/UnexpectedError' }

  /items/{itemId}:
    parameters: [{ $ref: '#/components/parameters/ItemId' }]
    get:
      tags: [item]
      operationId: getItem
      summary: Read an item
      responses:
        '200':
          description: The item
          content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } }
        '404': { $ref: '#/components/responses/ItemNotFound' }
        default: { $ref: '#/components/responses/UnexpectedError' }
    delete:
      tags: [item]
      operationId: deleteItem
      summary: Delete an item
      responses:
        '204':
          description: The item is deleted
        '404': { $ref: '#/components/responses/ItemNotFound' }
        default: { $ref: '#/components/responses/UnexpectedError' }

  /items/{itemId}/picture:
    parameters: [{ $ref: '#/components/parameters/ItemId' }]
    put:
      tags: [item]
      operationId: putPicture
      summary: Give an item a picture, in place of the one it has
      requestBody:
        required: true
        content: { image/png: { schema: { type: string, format: binary } } }
      responses:
        '200':
          description: The item with its picture
          content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } }
        '404': { $ref: '#/components/responses/ItemNotFound' }
        default: { $ref: '#/components/responses/UnexpectedError' }

components:
  securitySchemes:
    login:
      type: http
      description: The name and the password of a user
      scheme: basic

  parameters:
    ItemId:
      name: itemId
      in: path
      description: The id of the item
      required: true
      schema: { type: integer, format: int64 }
      example: 1

  schemas:
    Item:
      description: What the service keeps
      type: object
      required: [name]
      properties:
        id: { description: Identifies the item, type: integer, format: int64, example: 1 }
        name:
          description: What the item is called
          type: string
          minLength: 1
          maxLength: 200
          example: A first item
        createdBy: { description: The user who created it, type: string, readOnly: true, example: demo }
        picture: { description: Where its picture is, type: string, format: uri, readOnly: true }
    Page:
      description: A part of the items
      type: object
      required: [items]
      properties:
        items: { type: array, items: { $ref: '#/components/schemas/Item' } }
        next: { description: Asks for the page after this; there only if there is one, type: string }
    Error:
      description: What the service has to say about a request
      type: object
      required: [code, type, message]
      properties:
        code: { description: The HTTP status, type: integer, format: int32, example: 404 }
        type: { description: A stable name for the kind of failure, type: string, example: declared }
        message: { description: One sentence for the reader, type: string, example: Item not found }
        errors:
          description: Where the request does not fit the document; there only if it was not valid
          type: array
          items:
            description: One thing in a request that does not fit the document
            type: object
            required: [in, path, message]
            properties:
              in:
                description: The part of the request
                type: string
                enum: [path, query, header, cookie, body]
              path:
                description: The parameter's name, or the JSON Pointer (RFC 6901) into the body; empty for the whole
                type: string
              message: { description: What is wrong there, type: string }

  responses:
    InvalidRequest:
      description: The request does not fit the document
      content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } }
    ItemNotFound:
      description: Item not found
      content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } }
    IdTaken:
      description: Another item has this id
      content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } }
    UnexpectedError:
      description: The request failed
      content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } }
`;
