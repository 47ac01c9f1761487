import { bornYearsAgo, type Person } from './person.ts'
import { portrait } from './portrait.ts'

/** Erika, an adult. */
export function adult(now: Date): Person {
  return {
    given_name: 'Erika',
    family_name: 'Mustermann',
    birth_family_name: 'Gabler',
    birth_date: bornYearsAgo(36, now),
    birth_place: { country: 'DE', locality: 'Berlin' },
    sex: 2,
    nationality: 'DE',
    address: { street: 'Heidestraße 17', postal_code: '51147', locality: 'Köln', country: 'DE' },
    email: 'erika@example.com',
    phone_number: '+4915100000000',
    personal_number: '100000017',
    portrait,
  }
}

/** Max, aged seventeen: over some age thresholds and under others. */
export function minor(now: Date): Person {
  return {
    ...adult(now),
    given_name: 'Max',
    birth_family_name: 'Mustermann',
    birth_date: bornYearsAgo(17, now),
    sex: 1,
    email: 'max@example.com',
    personal_number: '100000025',
  }
}

/** Otto, aged seventy. */
export function senior(now: Date): Person {
  return {
    ...adult(now),
    given_name: 'Otto',
    birth_family_name: 'Mustermann',
    birth_date: bornYearsAgo(70, now),
    sex: 1,
    email: 'otto@example.com',
    personal_number: '100000033',
  }
}
