import { useState } from 'react'
import { auth } from '#contract/endpoints/auth.ts'
import { call } from '../../shared/api/client.ts'
import { strengthOf, strengthThreshold } from '../../shared/password/rules.ts'
import { toastSuccess } from '../../shared/toast.tsx'
import { registrationFaults, type RegistrationFaults } from './registration-errors.ts'

export interface Registration {
  first_name: string
  last_name: string
  email: string
  username: string
  password: string
  confirmation: string
  isAgreed: boolean
}

export type RegisterFaults = RegistrationFaults & { confirmation?: string; isAgreed?: string }

/** Rules of accounts specification, section 5, "Registration". */
export function faultsOfRegistration(entered: Registration): RegisterFaults {
  const faults: RegisterFaults = {}
  if (!entered.email.trim()) faults.email = 'Email is required'
  else if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(entered.email.trim())) faults.email = 'Please enter a valid email address'
  if (!entered.username.trim()) faults.username = 'Username is required'
  if (!entered.password) faults.password = 'Password is required'
  else if (strengthOf(entered.password) < strengthThreshold) faults.password = 'Please choose a stronger password'
  if (entered.password !== entered.confirmation) faults.confirmation = 'Passwords do not match'
  if (!entered.isAgreed) faults.isAgreed = 'You must agree to the terms and conditions'
  return faults
}

/** Registers an account; `onRegistered` gets the address the link was sent to. */
export function useRegister(onRegistered: (email: string) => void) {
  const [faults, setFaults] = useState<RegisterFaults>({})
  const [isBusy, setIsBusy] = useState(false)

  async function submit({ confirmation, isAgreed, ...payload }: Registration) {
    const found = faultsOfRegistration({ ...payload, confirmation, isAgreed })
    setFaults(found)
    if (Object.keys(found).length > 0) return
    setIsBusy(true)
    try {
      await call(auth.signUp, { body: payload })
      toastSuccess('Registration successful! Please check your email to verify your account.')
      onRegistered(payload.email.trim())
    } catch (error) {
      setFaults(registrationFaults(error))
    } finally {
      setIsBusy(false)
    }
  }
  return { faults, isBusy, submit }
}
