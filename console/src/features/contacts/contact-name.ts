interface Named {
  properties: Readonly<Record<string, unknown>>;
}

/** First and last name as they are kept; empty where there is neither. */
export function nameOf({ properties }: Named): string {
  return [properties.first_name, properties.last_name]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' ');
}
