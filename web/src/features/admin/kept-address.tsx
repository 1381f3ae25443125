import { Radio, Stack } from '@mantine/core'
import { KeptAddress } from '#contract/entities/user.ts'

interface KeptAddressFieldProps {
  former: string
  present: string
  value: KeptAddress
  onChange: (address: KeptAddress) => void
}

/** Which address an account keeps once its library is open: whoever reads the mail there can reset the password. */
export function KeptAddressField({ former, present, value, onChange }: KeptAddressFieldProps) {
  return (
    <Radio.Group
      label="Which address does the account keep?"
      description="Whoever reads the mail of this address can reset the password."
      value={value}
      onChange={(chosen) => onChange(KeptAddress.parse(chosen))}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="former" label={<bdi>{former}</bdi>} description="The address before the change" />
        <Radio value="present" label={<bdi>{present}</bdi>} description="The present address" />
      </Stack>
    </Radio.Group>
  )
}
