import { Text } from '@mantine/core'

/** Why a form was not accepted. */
export function ErrorText({ children }: { children: string }) {
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      {children}
    </Text>
  )
}
