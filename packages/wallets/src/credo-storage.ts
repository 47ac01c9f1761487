import {
  InjectionSymbols,
  JsonTransformer,
  RecordNotFoundError,
  type BaseRecord,
  type BaseRecordConstructor,
  type DependencyManager,
  type Module,
  type StorageService,
} from '@credo-ts/core'

// Credo's own bound of a storage service: a record of any tags.
type AnyRecord = BaseRecord

/** The records of a Credo agent, in memory. A holder of two documents asks for all of a kind, or for one by its id. */
export function storageInMemory(): Module {
  const records = new Map<string, { type: string; json: Record<string, unknown> }>()
  const revive = (recordClass: BaseRecordConstructor<AnyRecord>, id: string): AnyRecord => {
    const kept = records.get(id)
    if (kept === undefined) throw new RecordNotFoundError(`there is no record ${id}`, { recordType: 'any' })
    return JsonTransformer.fromJSON(kept.json, recordClass)
  }
  const keep = async (_: unknown, record: AnyRecord) => {
    records.set(record.id, { type: record.type, json: JsonTransformer.toJSON(record) })
  }
  const remove = async (id: string) => {
    records.delete(id)
  }
  const all: StorageService<AnyRecord>['getAll'] = async (_, recordClass) =>
    [...records].filter(([, { type }]) => type === recordClass.type).map(([id]) => revive(recordClass, id))

  const storage: StorageService<AnyRecord> = {
    supportsCursorPagination: false,
    save: keep,
    update: keep,
    delete: (_, { id }) => remove(id),
    deleteById: (_, _class, id) => remove(id),
    getById: async (_, recordClass, id) => revive(recordClass, id),
    getAll: all,
    findByQuery: all,
  }
  return {
    register: (dependencyManager: DependencyManager) =>
      dependencyManager.registerInstance(InjectionSymbols.StorageService, storage),
  }
}
