// Generated from specs/petstore.yaml by npm run generate. Do not edit.

/** A pet of the store */
export interface Pet {
  /** Identifies the pet */
  readonly id?: bigint | undefined;
  /** What the pet is called */
  readonly name: string;
  readonly category?: Category | undefined;
  /** Where images of the pet can be fetched */
  readonly photoUrls: readonly string[];
  /** What the pet can be found by */
  readonly tags?: readonly Tag[] | undefined;
  /** pet status in the store */
  readonly status?: 'available' | 'pending' | 'sold' | undefined;
}

/** A kind of pet */
export interface Category {
  /** Identifies the category */
  readonly id?: bigint | undefined;
  /** What the category is called */
  readonly name?: string | undefined;
}

/** A word that pets can be found by */
export interface Tag {
  /** Identifies the tag */
  readonly id?: bigint | undefined;
  /** The word */
  readonly name?: string | undefined;
}

/** An order for a pet */
export interface Order {
  /** Identifies the order */
  readonly id?: bigint | undefined;
  /** The id of the pet that is ordered */
  readonly petId?: bigint | undefined;
  /** How many are ordered */
  readonly quantity?: number | undefined;
  /** When the order is shipped (ISO 8601) */
  readonly shipDate?: string | undefined;
  /** order status */
  readonly status?: 'placed' | 'approved' | 'delivered' | undefined;
  /** Whether nothing is left to be done */
  readonly complete?: boolean | undefined;
}

/**
 * A user of the store
 *
 * As requests carry it.
 */
export interface User {
  /** Identifies the user */
  readonly id?: bigint | undefined;
  /** The name to log in with, a UsernameCasePreserved of PRECIS (RFC 8265); names that differ in case, width or composition alone are one */
  readonly username?: string | undefined;
  /** The given name */
  readonly firstName?: string | undefined;
  /** The family name */
  readonly lastName?: string | undefined;
  /** The mail address */
  readonly email?: string | undefined;
  /** The password to log in with; taken, never answered */
  readonly password?: string | undefined;
  /** The telephone number */
  readonly phone?: string | undefined;
  /** user status */
  readonly userStatus?: number | undefined;
}

/**
 * A user of the store
 *
 * As responses carry it.
 */
export interface UserResponse {
  /** Identifies the user */
  readonly id?: bigint | undefined;
  /** The name to log in with, a UsernameCasePreserved of PRECIS (RFC 8265); names that differ in case, width or composition alone are one */
  readonly username?: string | undefined;
  /** The given name */
  readonly firstName?: string | undefined;
  /** The family name */
  readonly lastName?: string | undefined;
  /** The mail address */
  readonly email?: string | undefined;
  /** The telephone number */
  readonly phone?: string | undefined;
  /** user status */
  readonly userStatus?: number | undefined;
}

/** What the service has to say about a request */
export interface ApiResponse {
  /** The HTTP status */
  readonly code?: number | undefined;
  /** A stable name for the kind of answer */
  readonly type?: string | undefined;
  /** One sentence for the reader */
  readonly message?: string | undefined;
  /** Where the request does not fit the document; there only if it was not valid */
  readonly errors?: ReadonlyArray<{
    /** The part of the request */
    readonly in?: 'path' | 'query' | 'header' | 'cookie' | 'body' | undefined;
    /** The parameter's name, or the JSON Pointer (RFC 6901) into the body; empty for the whole */
    readonly path?: string | undefined;
    /** What is wrong there */
    readonly message?: string | undefined;
  }> | undefined;
}

/** How many pets have each status */
export interface Inventory {
  readonly [name: string]: number;
}

/** A customer and where to ship to; no operation uses it */
export interface Customer {
  /** Identifies the customer */
  readonly id?: bigint | undefined;
  /** The customer's user name */
  readonly username?: string | undefined;
  /** Where the customer can be reached */
  readonly address?: readonly Address[] | undefined;
}

/** A postal address; no operation uses it */
export interface Address {
  /** Number and street */
  readonly street?: string | undefined;
  /** The city */
  readonly city?: string | undefined;
  /** The state */
  readonly state?: string | undefined;
  /** The postal code */
  readonly zip?: string | undefined;
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

/** The operations tagged `pet`. */
export interface PetOperations {
  /**
   * PUT /pet
   *
   * Update an existing pet
   */
  updatePet: {
    body: Pet & { readonly id: bigint };
    principal: 'required';
    response:
      | { status: 200; body: Pet }
      | { status: 400 | 404 | 405 | 'default'; body: ApiResponse };
  };
  /**
   * POST /pet
   *
   * Add a new pet to the store
   */
  addPet: {
    body: Pet;
    principal: 'required';
    response: { status: 200; body: Pet } | { status: 405 | 'default'; body: ApiResponse };
  };
  /**
   * GET /pet/findByStatus
   *
   * Find pets by status
   */
  findPetsByStatus: {
    query: { status: ReadonlyArray<'available' | 'pending' | 'sold'> };
    principal: 'required';
    response:
      | { status: 200; body: readonly Pet[] }
      | { status: 400 | 'default'; body: ApiResponse };
  };
  /**
   * GET /pet/findByTags
   *
   * Find pets by tags
   */
  findPetsByTags: {
    query: { tags?: readonly string[] | undefined };
    principal: 'required';
    response:
      | { status: 200; body: readonly Pet[] }
      | { status: 400 | 'default'; body: ApiResponse };
  };
  /**
   * GET /pet/{petId}
   *
   * Find a pet by its id
   */
  getPetById: {
    path: { petId: bigint };
    principal: 'required';
    response:
      | { status: 200; body: Pet }
      | { status: 400 | 404 | 'default'; body: ApiResponse };
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
    principal: 'required';
    response: { status: 200; body: Pet } | { status: 405 | 'default'; body: ApiResponse };
  };
  /**
   * DELETE /pet/{petId}
   *
   * Delete a pet
   */
  deletePet: {
    path: { petId: bigint };
    header: { api_key?: string | undefined };
    principal: 'required';
    response: { status: 200 } | { status: 400 | 'default'; body: ApiResponse };
  };
  /**
   * POST /pet/{petId}/uploadImage
   *
   * Upload an image for a pet
   */
  uploadFile: {
    path: { petId: bigint };
    query: { additionalMetadata?: string | undefined };
    body: Uint8Array;
    principal: 'required';
    response: { status: 200 | 404 | 'default'; body: ApiResponse };
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
    principal: 'required';
    response: { status: 200; body: Inventory } | { status: 'default'; body: ApiResponse };
  };
  /**
   * POST /store/order
   *
   * Place an order for a pet
   */
  placeOrder: {
    body: Order;
    response: { status: 200; body: Order } | { status: 405 | 'default'; body: ApiResponse };
  };
  /**
   * GET /store/order/{orderId}
   *
   * Find an order by its id
   */
  getOrderById: {
    path: { orderId: bigint };
    response:
      | { status: 200; body: Order }
      | { status: 400 | 404 | 'default'; body: ApiResponse };
  };
  /**
   * DELETE /store/order/{orderId}
   *
   * Delete an order by its id
   */
  deleteOrder: {
    path: { orderId: bigint };
    response: { status: 200 } | { status: 400 | 404 | 'default'; body: ApiResponse };
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
    body: User & { readonly username: string };
    principal: 'required';
    response:
      | {
          status: 400 | 401 | 403 | 406 | 409 | 413 | 415 | 429 | 500 | 501 | 503;
          body: ApiResponse;
        }
      | { status: 'default'; body: UserResponse };
  };
  /**
   * POST /user/createWithList
   *
   * Create users from a list
   */
  createUsersWithListInput: {
    body: readonly User[];
    principal: 'required';
    response:
      | { status: 200; body: UserResponse }
      | { status: 400 | 409 | 'default'; body: ApiResponse };
  };
  /**
   * GET /user/login
   *
   * Log a user into the system
   */
  loginUser: {
    query: { username?: string | undefined; password?: string | undefined };
    response:
      | {
          status: 200;
          body: string;
          headers?: { 'X-Rate-Limit'?: number | undefined; 'X-Expires-After'?: string | undefined };
        }
      | { status: 400 | 'default'; body: ApiResponse };
  };
  /**
   * GET /user/logout
   *
   * Log out the current user
   */
  logoutUser: {
    response:
      | {
          status: 400 | 401 | 403 | 406 | 413 | 429 | 500 | 501 | 503;
          body: ApiResponse;
        }
      | { status: 'default' };
  };
  /**
   * GET /user/{username}
   *
   * Find a user by user name
   */
  getUserByName: {
    path: { username: string };
    response:
      | { status: 200; body: UserResponse }
      | { status: 400 | 404 | 'default'; body: ApiResponse };
  };
  /**
   * PUT /user/{username}
   *
   * Update a user
   */
  updateUser: {
    path: { username: string };
    body: User;
    principal: 'required';
    response:
      | {
          status: 400 | 401 | 403 | 404 | 406 | 409 | 413 | 415 | 429 | 500 | 501 | 503;
          body: ApiResponse;
        }
      | { status: 'default' };
  };
  /**
   * DELETE /user/{username}
   *
   * Delete a user
   */
  deleteUser: {
    path: { username: string };
    principal: 'required';
    response: { status: 200 } | { status: 400 | 404 | 'default'; body: ApiResponse };
  };
}

/** Every operation of the document. */
export interface Operations extends PetOperations, StoreOperations, UserOperations {}
