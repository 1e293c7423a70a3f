// Records of sending domains, as far as the console has to know them too. Needs no TypeBox.

/** In a record while BASE_URL is not set. Other machines cannot reach this one by its local name, so such a record must not be published. */
export const placeholderHost = 'set-base-url.invalid';
