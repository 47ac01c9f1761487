import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { useEnvironment } from '../../shell/shell-context.ts'
import type { DayStopProps } from './day-stops.tsx'
import type { FigureChoice } from './figure-filter.tsx'

/** Makes each day of a chart lead to its verifications. */
export function useDayLink({
  template,
  device_id,
}: FigureChoice): (each: { day: string }, props: DayStopProps) => ReactNode {
  const environment = useEnvironment()
  return ({ day }, props) => (
    <Link
      to="/$environment/verifications"
      params={{ environment }}
      search={{
        from: day,
        to: day,
        ...(template !== undefined && template !== '' && { template }),
        ...(device_id !== undefined && { device_id }),
      }}
      preload={false}
      {...props}
    />
  )
}
