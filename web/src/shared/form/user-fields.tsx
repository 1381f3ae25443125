import { TextInput, type TextInputProps } from '@mantine/core'
import { t } from '#contract/texts/t.ts'

/** The part of a form that its fields need. */
interface FieldSource {
  getInputProps: (name: string) => object
}

interface UserFieldProps extends Omit<TextInputProps, 'form'> {
  form: FieldSource
}

interface NameFieldsProps {
  form: FieldSource
  /** Whether the browser may fill in the user's own name. */
  isOwn?: boolean
  /** Focuses the first name, on a page or in a dialog. */
  focusOn?: 'page' | 'dialog'
}

/** First and last name, in any script. */
export function NameFields({ form, isOwn = false, focusOn }: NameFieldsProps) {
  return (
    <>
      <TextInput
        label={t('First name')}
        {...(isOwn && { autoComplete: 'given-name' })}
        autoFocus={focusOn === 'page'}
        data-autofocus={focusOn === 'dialog' || undefined}
        {...form.getInputProps('first_name')}
      />
      <TextInput
        label={t('Last name')}
        {...(isOwn && { autoComplete: 'family-name' })}
        {...form.getInputProps('last_name')}
      />
    </>
  )
}

export function UsernameField({ form, ...rest }: UserFieldProps) {
  return <TextInput label={t('Username')} required {...form.getInputProps('username')} {...rest} />
}

/** An e-mail address; with `readOnly` it looks like text. */
export function EmailField({ form, ...rest }: UserFieldProps) {
  return (
    <TextInput
      label={t('Email')}
      type="email"
      variant={rest.readOnly ? 'filled' : 'default'}
      {...form.getInputProps('email')}
      {...rest}
    />
  )
}
