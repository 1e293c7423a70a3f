// A line of an email that may contain tokens: its errors, its possible problems, and one-click fixes for both.
import { Button, Group, Text, TextInput } from '@mantine/core';
import { t } from '../../../texts/emails.ts';
import type { Problem } from '../email-api.ts';
import type { Variables } from '../use-variables.ts';
import { fixOf } from './problems.ts';
import { addFallback, withName, withoutFallback } from './tokens.ts';

interface TemplateFieldProps {
  label: string;
  value: string;
  /** The API's error. */
  error: string | undefined;
  problems: readonly Problem[];
  variables: Variables;
  required?: boolean;
  placeholder?: string;
  isReadOnly?: boolean;
  onChange: (value: string) => void;
}

// What a greeting says to a contact without a name.
const usualFallback = 'there';

export function TemplateField(props: TemplateFieldProps) {
  const { label, value, error, problems, variables, required, placeholder, isReadOnly = false, onChange } = props;
  const [problem] = problems;
  const fix = problem && fixOf(problem, variables.names);
  const bare = problem ? undefined : withoutFallback(value, variables.properties);
  return (
    <div>
      <TextInput
        label={label}
        value={value}
        required={required ?? false}
        {...(placeholder ? { placeholder } : {})}
        readOnly={isReadOnly}
        error={error ?? problem?.message}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {fix && !isReadOnly && (
        <Button
          size="compact-xs"
          variant="light"
          mt={4}
          onClick={() => onChange(withName(value, fix.wrong, fix.right))}
        >
          {t.didYouMean(fix.right)}
        </Button>
      )}
      {bare && !error && (
        <Group gap="xs" mt={4} role="status">
          <Text size="xs" c="var(--warn)">
            {t.noFallback(bare.name)}
          </Text>
          {!isReadOnly && (
            <Button size="compact-xs" variant="light" onClick={() => onChange(addFallback(value, bare, usualFallback))}>
              {t.addFallback(usualFallback)}
            </Button>
          )}
        </Group>
      )}
    </div>
  );
}
