/** Style elements created at run time carry it: the page's policy allows no others. */
export const styleNonce = document.querySelector('meta[name="style-nonce"]')?.getAttribute('content') ?? '';
