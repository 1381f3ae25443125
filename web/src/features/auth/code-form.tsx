import { Anchor, Button, TextInput } from '@mantine/core'
import { useState, type FormEvent, type ReactNode } from 'react'
import classes from './auth.module.css'

interface CodeFormProps {
  error: ReactNode
  isBusy: boolean
  lockSecondsLeft: number
  onSubmit: (code: string) => void
  onBack: () => void
}

/** Six digits, or a backup code of eight letters and digits (accounts specification, section 5). */
function faultOf(code: string): string {
  if (!code) return 'Authentication code is required'
  if (/^\d{6}$/.test(code) || /^[a-z\d]{8}$/i.test(code)) return ''
  return 'Please enter a valid 6-digit code or 8-character backup code'
}

/** The second factor of signing in. */
export function CodeForm({ error, isBusy, lockSecondsLeft, onSubmit, onBack }: CodeFormProps) {
  const [code, setCode] = useState('')
  const [fault, setFault] = useState('')

  function submit(event: FormEvent) {
    event.preventDefault()
    const found = faultOf(code.trim())
    setFault(found)
    if (!found) onSubmit(code.trim())
  }

  return (
    <form onSubmit={submit} noValidate className={classes.fields}>
      {error}
      <TextInput
        label="Authentication code"
        description="6 digits from your app, or one of your 8-character backup codes"
        className={classes.code}
        placeholder="000000"
        maxLength={8}
        autoComplete="one-time-code"
        autoFocus
        size="md"
        value={code}
        error={fault}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" size="md" fullWidth loading={isBusy} disabled={lockSecondsLeft > 0}>
        {lockSecondsLeft > 0 ? 'Account Locked' : 'Verify'}
      </Button>
      <Anchor component="button" type="button" size="sm" ta="center" onClick={onBack}>
        Back to password
      </Anchor>
    </form>
  )
}
