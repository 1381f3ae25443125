import { ActionIcon, Tooltip, type ActionIconProps } from '@mantine/core'
import type { MouseEventHandler, ReactNode } from 'react'
import { withoutIsolates } from '#contract/isolated-name.ts'

interface IconButtonProps extends Omit<ActionIconProps, 'children'> {
  /** Label for the tooltip and for screen readers. Names in it are isolated (see isolateName), which only the tooltip needs. */
  label: string
  type?: 'button' | 'submit'
  tabIndex?: number
  onClick?: MouseEventHandler<HTMLButtonElement>
  children: ReactNode
}

/** An icon button whose label is shown on hover and read by screen readers. */
export function IconButton({ label, children, variant = 'subtle', color = 'gray', ...rest }: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={withoutIsolates(label)} variant={variant} color={color} {...rest}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
