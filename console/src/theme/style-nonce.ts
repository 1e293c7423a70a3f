/** Style elements that are made at run time carry it: the policy of the page allows no others. */
export const styleNonce = document.querySelector('meta[name="style-nonce"]')?.getAttribute('content') ?? '';
