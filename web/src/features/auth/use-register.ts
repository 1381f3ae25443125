import { auth, SignUp } from '#contract/endpoints/auth.ts'
import { minStrength, passwordStrength } from '#contract/password-rules.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { validateInput, type FieldErrors } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { toastSuccess } from '../../shared/toast.tsx'
import { registrationErrors } from './registration-errors.ts'

const initialValues = {
  first_name: '',
  last_name: '',
  email: '',
  username: '',
  password: '',
  confirmation: '',
  isAgreed: false,
}

/** Rules of accounts specification, section 5, "Registration", beside those of the contract. */
function validate(values: typeof initialValues): FieldErrors {
  const isWeak = passwordStrength(values.password) < minStrength
  return {
    ...(isWeak && { password: t('Please choose a stronger password') }),
    ...(values.password !== values.confirmation && { confirmation: t('Passwords do not match') }),
    ...(!values.isAgreed && { isAgreed: t('You must agree to the terms and conditions') }),
    ...validateInput(SignUp, values),
  }
}

/** The registration form; `onRegistered` gets the address the link was sent to. */
export function useRegister(onRegistered: (email: string) => void) {
  return useMutationForm({
    initialValues,
    validate,
    send: ({ first_name, last_name, email, username, password }) =>
      call(auth.signUp, { body: { first_name, last_name, email, username, password } }),
    sortErrors: registrationErrors,
    onSuccess: (_, { email }) => {
      toastSuccess(t('Registration successful! Please check your email to verify your account.'))
      onRegistered(email.trim())
    },
  })
}
