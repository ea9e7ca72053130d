/** The pet store contract's table "Store operations", row by row. */

import {
  INT64,
  JSON_TYPE,
  JSON_XML,
  JSON_XML_FORM,
  type OperationRow,
  schema,
} from './contract-table';

const ORDER_ID = { 'path orderId': { required: true, schema: INT64 } };

export const storeOperations = {
  getInventory: {
    tag: 'store',
    method: 'get',
    path: '/store/inventory',
    parameters: {},
    success: { 200: { media: [JSON_TYPE], schema: schema('Inventory') } },
    errors: {},
    security: [{ api_key: [] }],
  },
  placeOrder: {
    tag: 'store',
    method: 'post',
    path: '/store/order',
    parameters: {},
    body: { required: false, media: JSON_XML_FORM, schema: schema('Order') },
    success: { 200: { media: [JSON_TYPE], schema: schema('Order') } },
    errors: { 405: 'Invalid input' },
    security: [],
  },
  getOrderById: {
    tag: 'store',
    method: 'get',
    path: '/store/order/{orderId}',
    parameters: ORDER_ID,
    success: { 200: { media: JSON_XML, schema: schema('Order') } },
    errors: { 400: 'Invalid ID supplied', 404: 'Order not found' },
    security: [],
  },
  deleteOrder: {
    tag: 'store',
    method: 'delete',
    path: '/store/order/{orderId}',
    parameters: ORDER_ID,
    success: {},
    errors: { 400: 'Invalid ID supplied', 404: 'Order not found' },
    security: [],
  },
} satisfies Record<string, OperationRow>;
