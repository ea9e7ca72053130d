// Generated from specs/petstore.yaml by npm run generate. Do not edit.

/** A pet of the store */
export interface Pet {
  /** Identifies the pet */
  id?: bigint | undefined;
  /** What the pet is called */
  name: string;
  category?: Category | undefined;
  /** Where images of the pet can be fetched */
  photoUrls: string[];
  /** What the pet can be found by */
  tags?: Tag[] | undefined;
  /** pet status in the store */
  status?: 'available' | 'pending' | 'sold' | undefined;
}

/** A kind of pet */
export interface Category {
  /** Identifies the category */
  id?: bigint | undefined;
  /** What the category is called */
  name?: string | undefined;
}

/** A word that pets can be found by */
export interface Tag {
  /** Identifies the tag */
  id?: bigint | undefined;
  /** The word */
  name?: string | undefined;
}

/** An order for a pet */
export interface Order {
  /** Identifies the order */
  id?: bigint | undefined;
  /** The id of the pet that is ordered */
  petId?: bigint | undefined;
  /** How many are ordered */
  quantity?: number | undefined;
  /** When the order is shipped (ISO 8601) */
  shipDate?: string | undefined;
  /** order status */
  status?: 'placed' | 'approved' | 'delivered' | undefined;
  /** Whether nothing is left to be done */
  complete?: boolean | undefined;
}

/**
 * A user of the store
 *
 * As requests carry it.
 */
export interface User {
  /** Identifies the user */
  id?: bigint | undefined;
  /** The name to log in with, a UsernameCasePreserved of PRECIS (RFC 8265); names that differ in case, width or composition alone are one */
  username?: string | undefined;
  /** The given name */
  firstName?: string | undefined;
  /** The family name */
  lastName?: string | undefined;
  /** The mail address */
  email?: string | undefined;
  /** The password to log in with; taken, never answered */
  password?: string | undefined;
  /** The telephone number */
  phone?: string | undefined;
  /** user status */
  userStatus?: number | undefined;
}

/**
 * A user of the store
 *
 * As responses carry it.
 */
export interface UserResponse {
  /** Identifies the user */
  id?: bigint | undefined;
  /** The name to log in with, a UsernameCasePreserved of PRECIS (RFC 8265); names that differ in case, width or composition alone are one */
  username?: string | undefined;
  /** The given name */
  firstName?: string | undefined;
  /** The family name */
  lastName?: string | undefined;
  /** The mail address */
  email?: string | undefined;
  /** The telephone number */
  phone?: string | undefined;
  /** user status */
  userStatus?: number | undefined;
}

/** What the service has to say about a request */
export interface ApiResponse {
  /** The HTTP status */
  code?: number | undefined;
  /** A stable name for the kind of answer */
  type?: string | undefined;
  /** One sentence for the reader */
  message?: string | undefined;
  /** Where the request does not fit the document; there only if it was not valid */
  errors?: Array<{
    /** The part of the request */
    in?: 'path' | 'query' | 'header' | 'cookie' | 'body' | undefined;
    /** The parameter's name, or the JSON Pointer (RFC 6901) into the body; empty for the whole */
    path?: string | undefined;
    /** What is wrong there */
    message?: string | undefined;
  }> | undefined;
}

/** How many pets have each status */
export interface Inventory {
  [name: string]: number;
}

/** A customer and where to ship to; no operation uses it */
export interface Customer {
  /** Identifies the customer */
  id?: bigint | undefined;
  /** The customer's user name */
  username?: string | undefined;
  /** Where the customer can be reached */
  address?: Address[] | undefined;
}

/** A postal address; no operation uses it */
export interface Address {
  /** Number and street */
  street?: string | undefined;
  /** The city */
  city?: string | undefined;
  /** The state */
  state?: string | undefined;
  /** The postal code */
  zip?: string | undefined;
}

/** The component schemas as storage keeps them: every declared property. */
export interface Schemas {
  Pet: Pet;
  Category: Category;
  Tag: Tag;
  Order: Order;
  User: User & UserResponse;
  ApiResponse: ApiResponse;
  Inventory: Inventory;
  Customer: Customer;
  Address: Address;
}

/** Headers that a response may carry beyond the declared ones. */
export interface FurtherHeaders {
  [name: string]: string | number | readonly string[] | undefined;
}

/** The operations tagged `pet`. */
export interface PetOperations {
  /**
   * PUT /pet
   *
   * Update an existing pet
   */
  updatePet: {
    path: {};
    query: {};
    header: {};
    cookie: {};
    body: Pet & { id: bigint };
    principal: 'required';
    response: { status: 200; body: Pet; headers?: FurtherHeaders };
    failure: 400 | 404 | 405;
  };
  /**
   * POST /pet
   *
   * Add a new pet to the store
   */
  addPet: {
    path: {};
    query: {};
    header: {};
    cookie: {};
    body: Pet;
    principal: 'required';
    response: { status: 200; body: Pet; headers?: FurtherHeaders };
    failure: 405;
  };
  /**
   * GET /pet/findByStatus
   *
   * Find pets by status
   */
  findPetsByStatus: {
    path: {};
    query: { status: Array<'available' | 'pending' | 'sold'> };
    header: {};
    cookie: {};
    body: undefined;
    principal: 'required';
    response: { status: 200; body: Pet[]; headers?: FurtherHeaders };
    failure: 400;
  };
  /**
   * GET /pet/findByTags
   *
   * Find pets by tags
   */
  findPetsByTags: {
    path: {};
    query: { tags?: string[] | undefined };
    header: {};
    cookie: {};
    body: undefined;
    principal: 'required';
    response: { status: 200; body: Pet[]; headers?: FurtherHeaders };
    failure: 400;
  };
  /**
   * GET /pet/{petId}
   *
   * Find a pet by its id
   */
  getPetById: {
    path: { petId: bigint };
    query: {};
    header: {};
    cookie: {};
    body: undefined;
    principal: 'required';
    response: { status: 200; body: Pet; headers?: FurtherHeaders };
    failure: 400 | 404;
  };
  /**
   * POST /pet/{petId}
   *
   * Update a pet in the store with form data
   */
  updatePetWithForm: {
    path: { petId: bigint };
    query: {
      name?: string | undefined;
      status?: 'available' | 'pending' | 'sold' | undefined;
    };
    header: {};
    cookie: {};
    body: undefined;
    principal: 'required';
    response: { status: 200; body: Pet; headers?: FurtherHeaders };
    failure: 405;
  };
  /**
   * DELETE /pet/{petId}
   *
   * Delete a pet
   */
  deletePet: {
    path: { petId: bigint };
    query: {};
    header: { api_key?: string | undefined };
    cookie: {};
    body: undefined;
    principal: 'required';
    response: { status: 200; body?: undefined; headers?: FurtherHeaders };
    failure: 400;
  };
  /**
   * POST /pet/{petId}/uploadImage
   *
   * Upload an image for a pet
   */
  uploadFile: {
    path: { petId: bigint };
    query: { additionalMetadata?: string | undefined };
    header: {};
    cookie: {};
    body: Uint8Array;
    principal: 'required';
    response: { status: 200; body: ApiResponse; headers?: FurtherHeaders };
    failure: 404;
  };
}

/** The operations tagged `store`. */
export interface StoreOperations {
  /**
   * GET /store/inventory
   *
   * Count the pets by status
   */
  getInventory: {
    path: {};
    query: {};
    header: {};
    cookie: {};
    body: undefined;
    principal: 'required';
    response: { status: 200; body: Inventory; headers?: FurtherHeaders };
    failure: never;
  };
  /**
   * POST /store/order
   *
   * Place an order for a pet
   */
  placeOrder: {
    path: {};
    query: {};
    header: {};
    cookie: {};
    body: Order;
    principal: 'optional';
    response: { status: 200; body: Order; headers?: FurtherHeaders };
    failure: 405;
  };
  /**
   * GET /store/order/{orderId}
   *
   * Find an order by its id
   */
  getOrderById: {
    path: { orderId: bigint };
    query: {};
    header: {};
    cookie: {};
    body: undefined;
    principal: 'optional';
    response: { status: 200; body: Order; headers?: FurtherHeaders };
    failure: 400 | 404;
  };
  /**
   * DELETE /store/order/{orderId}
   *
   * Delete an order by its id
   */
  deleteOrder: {
    path: { orderId: bigint };
    query: {};
    header: {};
    cookie: {};
    body: undefined;
    principal: 'optional';
    response: { status: 200; body?: undefined; headers?: FurtherHeaders };
    failure: 400 | 404;
  };
}

/** The operations tagged `user`. */
export interface UserOperations {
  /**
   * POST /user
   *
   * Create a user
   */
  createUser: {
    path: {};
    query: {};
    header: {};
    cookie: {};
    body: User & { username: string };
    principal: 'required';
    response: { status: 200; body: UserResponse; headers?: FurtherHeaders };
    failure: 400 | 401 | 403 | 406 | 409 | 413 | 415 | 429 | 500 | 501 | 503;
  };
  /**
   * POST /user/createWithList
   *
   * Create users from a list
   */
  createUsersWithListInput: {
    path: {};
    query: {};
    header: {};
    cookie: {};
    body: User[];
    principal: 'required';
    response: { status: 200; body: UserResponse; headers?: FurtherHeaders };
    failure: 400 | 409;
  };
  /**
   * GET /user/login
   *
   * Log a user into the system
   */
  loginUser: {
    path: {};
    query: { username?: string | undefined; password?: string | undefined };
    header: {};
    cookie: {};
    body: undefined;
    principal: 'optional';
    response: {
      status: 200;
      body: string;
      headers?: {
        'X-Rate-Limit'?: number | undefined;
        'X-Expires-After'?: string | undefined;
        [name: string]: string | number | readonly string[] | undefined;
      };
    };
    failure: 400;
  };
  /**
   * GET /user/logout
   *
   * Log out the current user
   */
  logoutUser: {
    path: {};
    query: {};
    header: {};
    cookie: {};
    body: undefined;
    principal: 'optional';
    response: { status: 200; body?: undefined; headers?: FurtherHeaders };
    failure: 400 | 401 | 403 | 406 | 413 | 429 | 500 | 501 | 503;
  };
  /**
   * GET /user/{username}
   *
   * Find a user by user name
   */
  getUserByName: {
    path: { username: string };
    query: {};
    header: {};
    cookie: {};
    body: undefined;
    principal: 'optional';
    response: { status: 200; body: UserResponse; headers?: FurtherHeaders };
    failure: 400 | 404;
  };
  /**
   * PUT /user/{username}
   *
   * Update a user
   */
  updateUser: {
    path: { username: string };
    query: {};
    header: {};
    cookie: {};
    body: User;
    principal: 'required';
    response: { status: 200; body?: undefined; headers?: FurtherHeaders };
    failure: 400 | 401 | 403 | 404 | 406 | 409 | 413 | 415 | 429 | 500 | 501 | 503;
  };
  /**
   * DELETE /user/{username}
   *
   * Delete a user
   */
  deleteUser: {
    path: { username: string };
    query: {};
    header: {};
    cookie: {};
    body: undefined;
    principal: 'required';
    response: { status: 200; body?: undefined; headers?: FurtherHeaders };
    failure: 400 | 404;
  };
}

/** Every operation of the document. */
export interface Operations extends PetOperations, StoreOperations, UserOperations {}
