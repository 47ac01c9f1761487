"""Checks an export, a proof or receipts of the audit log. A second implementation, written only from docs/reference/audit.md and the RFCs.

    python3 audit-check.py FILE PUBLIC_KEY.pem

It needs only Python's standard library and shares no code with the service. It follows the definitions for clarity, not speed.
"""

import base64, datetime, hashlib, json, re, sys

TEXT_DAYS = 400
MALFORMED = (AttributeError, IndexError, KeyError, TypeError, ValueError)
MAX_HANDOVERS = 1000


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def canonical(value):
    """RFC 8785, for the types that the log uses: strings, integers, booleans, lists and objects."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, float):
        raise ValueError("not an integer")
    return json.dumps(value, ensure_ascii=False)


def has(value, needed, allowed=""):
    """Whether an object has all needed members, and no others than the allowed ones."""
    return set(needed.split()) <= set(value) <= set((needed + " " + allowed).split())


def hash_of(text):
    if not re.fullmatch("[0-9a-f]{64}", text):
        raise ValueError("not a hash")
    return bytes.fromhex(text)


def hashes(texts):
    return [hash_of(text) for text in texts]


def leaf(content):
    return sha256(b"\x00", content.encode())


def node(left, right):
    return sha256(b"\x01", left, right)


def split(size):
    return 1 << (size - 1).bit_length() - 1


def root_from_path(index, size, hash, path):
    """RFC 6962 2.1.1, read backwards: the path's last hash is the sibling below the root."""
    if size == 1:
        return hash if not path else b""
    if not path:
        return b""
    left = split(size)
    if index < left:
        return node(root_from_path(index, left, hash, path[:-1]), path[-1])
    return node(path[-1], root_from_path(index - left, size - left, hash, path[:-1]))


def roots_from_proof(first, size, path, old_root, known=True):
    """RFC 6962 2.1.2, read backwards: the roots of the first `first` leaves and of all `size`."""
    if first == size:
        if known:
            return (old_root, old_root) if not path else (b"", b"")
        return (path[0], path[0]) if len(path) == 1 else (b"", b"")
    if not path:
        return (b"", b"")
    left = split(size)
    if first <= left:
        old, new = roots_from_proof(first, left, path[:-1], old_root, known)
        return old, node(new, path[-1])
    old, new = roots_from_proof(first - left, size - left, path[:-1], old_root, False)
    return node(path[-1], old), node(path[-1], new)


def continues(first, second, path):
    if not 0 < first["size"] <= second["size"] or first["origin"] != second["origin"]:
        return False
    return roots_from_proof(first["size"], second["size"], path, first["root"]) == (first["root"], second["root"])


def heads_root(head, path):
    """The root of the tree of all heads: the bits of the tenant's hash select the side at each branch."""
    key = int.from_bytes(sha256(head["tenant_id"].encode()))
    hash = leaf(canonical(head))
    for depth, sibling in reversed(list(enumerate(path))):
        hash = node(sibling, hash) if key >> (255 - depth) & 1 else node(hash, sibling)
    return hash


# Ed25519 by the formulas of RFC 8032, section 5.1.
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def add(a, b):
    (x1, y1), (x2, y2) = a, b
    k = D * x1 * x2 * y1 * y2
    return (x1 * y2 + x2 * y1) * pow(1 + k, -1, P) % P, (y1 * y2 + x1 * x2) * pow(1 - k, -1, P) % P


def times(scalar, point):
    result = (0, 1)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point, scalar = add(point, point), scalar >> 1
    return result


def decompress(data):
    y = int.from_bytes(data, "little") & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P:
        return None
    return (P - x if x & 1 != data[31] >> 7 else x), y


BASE = decompress((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def signed(key, text, signature):
    r, s = decompress(signature[:32]), int.from_bytes(signature[32:], "little")
    if r is None or s >= L or len(signature) != 64:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), "little")
    return times(s, BASE) == add(r, times(k, decompress(key)))


def from_base64(text):
    """Empty unless the text is the canonical encoding of its bytes."""
    data = base64.b64decode(text)
    return data if base64.b64encode(data).decode() == text else b""


def is_signed(note, origin, key, known={}):
    """Whether a C2SP signed-note is signed with the key under this name."""
    if (note, origin, key) not in known:
        text, _, signatures = note.rpartition("\n\n")
        identity = sha256(origin.encode(), b"\n\x01", key)[:4]
        # Every signature line ends with a line feed, including the last.
        lines = signatures.split("\n") if note.endswith("\n") else []
        found = [from_base64(line[len(f"— {origin} ") :]) for line in lines if line.startswith(f"— {origin} ")]
        known[note, origin, key] = any(
            data[:4] == identity and signed(key, (text + "\n").encode(), data[4:]) for data in found
        )
    return known[note, origin, key]


def read_handover(note):
    """Signed by the old key and by the new one."""
    lines = note.rpartition("\n\n")[0].split("\n")
    title, origin, number, size = lines[:4]
    root, old, new = map(from_base64, lines[4:])
    if title != "vidimus audit key handover v1" or {len(root), len(old), len(new)} != {32}:
        raise ValueError("not a handover")
    if not re.fullmatch("[1-9][0-9]{0,3}", number) or not re.fullmatch("0|[1-9][0-9]{0,15}", size):
        raise ValueError("not a handover")
    if not is_signed(note, origin, old) or not is_signed(note, origin, new):
        raise ValueError("the handover is not signed by both keys")
    return {"origin": origin, "number": int(number), "size": int(size), "root": root, "old": old, "new": new}


def read_keys(given, notes):
    """All keys of the log, oldest first, each with the handovers at its beginning and end; and the index of the given one."""
    handovers = [read_handover(note) for note in notes]
    for number, handover in enumerate(handovers, 1):
        if handover["number"] != number:
            raise ValueError("a handover is missing")
    for before, after in zip(handovers, handovers[1:]):
        if after["origin"] != before["origin"] or after["old"] != before["new"] or after["size"] < before["size"]:
            raise ValueError("a handover does not follow the one before it")
        if after["size"] == before["size"] and after["root"] != before["root"]:
            raise ValueError("a handover does not follow the one before it")
    keys = [handover["old"] for handover in handovers] + [handovers[-1]["new"] if handovers else given]
    if len(set(keys)) < len(keys) or given not in keys:
        raise ValueError("the handovers do not lead from this key to another")
    return list(zip(keys, [None] + handovers, handovers + [None])), keys.index(given)


def read_checkpoint(note, keys, first=0):
    """C2SP tlog-checkpoint in a C2SP signed-note. None unless one of the keys, from the first on, has signed it in its turn."""
    origin, size, root = (note.rpartition("\n\n")[0].split("\n") + [""] * 3)[:3]
    for key, begin, end in keys[first:]:
        if is_signed(note, origin, key):
            found = {"origin": origin, "size": int(size), "root": base64.b64decode(root)}
            in_turn = (begin is None or begin["size"] <= found["size"]) and (end is None or found["size"] <= end["size"])
            edges = [edge for edge in (begin, end) if edge is not None]
            agrees = all(edge["size"] != found["size"] or edge["root"] == found["root"] for edge in edges)
            if in_turn and agrees and all(edge["origin"] == origin for edge in edges):
                return found
    return None


def opens(entry, texts):
    def commitment(name, opened):
        parts = name.encode(), hash_of(opened["salt"]), opened["text"].encode()
        return sha256(*(len(part).to_bytes(4) + part for part in parts)).hex()

    return {name: commitment(name, opened) for name, opened in texts.items()} == entry.get("commitments", {})


def link(previous, entry_hash):
    return sha256(b"\x02", previous, entry_hash)


def entry_hash(entry):
    return sha256(canonical(entry).encode())


def head_of(tenant_id, seq, last_link):
    return {"tenant_id": tenant_id, "seq": seq, "link": last_link.hex()}


def in_log(log_leaf, index, path, checkpoint):
    if not 0 <= index < checkpoint["size"]:
        return False
    return root_from_path(index, checkpoint["size"], leaf(canonical(log_leaf)), hashes(path)) == checkpoint["root"]


def is_entry(line):
    entry, texts = line["entry"], line.get("texts", {})
    names = "actor_name purpose subject"
    return (
        has(entry, "v tenant_id seq at action actor", "detail commitments")
        and has(entry.get("commitments", {}), "", names)
        and has(texts, "", names)
        and all(has(opened, "salt text") for opened in texts.values())
    )


def is_log_leaf(log_leaf):
    trees = (log_leaf["heads"], log_leaf["new_heads"])
    return has(log_leaf, "v at heads new_heads") and all(has(tree, "count root") for tree in trees)


def has_handovers(line):
    """A list of notes that is not empty, or nothing."""
    return "handovers" not in line or 1 <= len(line["handovers"]) <= MAX_HANDOVERS


def is_line(line):
    """Whether a line is one of the four kinds."""
    if "entry" in line:
        return has(line, "entry link", "texts") and is_entry(line)
    if "seal" in line:
        seal = line["seal"]
        since = seal.get("since", {"checkpoint": "", "path": []})
        return (
            has(line, "seal")
            and has(seal, "checkpoint heads_path leaf leaf_path", "since handovers")
            and has_handovers(seal)
            and has(since, "checkpoint path")
            and is_log_leaf(seal["leaf"])
        )
    if "proof" in line:
        proof = line["proof"]
        members = "after before checkpoint entry new_heads_index new_heads_path leaf leaf_index leaf_path"
        known = has(line, "proof") and has(proof, members, "texts handovers") and has_handovers(proof)
        return known and is_entry(proof) and is_log_leaf(proof["leaf"])
    continuation = line["continuation"]
    return has(line, "continuation") and has(continuation, "first path second", "handovers") and has_handovers(continuation)


def check_export(lines, key):
    last, tenant, missing, erased, present, deleted = bytes(32), None, {}, set(), 0, 0
    for number, line in enumerate(lines[:-1], 1):
        entry, texts = line["entry"], line.get("texts")
        tenant = tenant or entry["tenant_id"]
        last = link(last, entry_hash(entry))
        if (entry["tenant_id"], entry["seq"], line["link"]) != (tenant, number, last.hex()):
            yield f"entry {number} does not continue the chain"
        if texts is not None and not opens(entry, texts):
            yield f"entry {number}: the texts do not match its commitments"
        if texts is None and "commitments" in entry:
            missing[number] = entry["at"]
        if entry["action"] == "verification.erased":
            erased.update(entry["detail"]["removed"])
        present += texts is not None
        if entry["action"] == "tenant.deleted":
            deleted = number
            if present:
                yield f"entry {number}: the tenant was deleted, but earlier entries have texts"
    seal = lines[-1]["seal"]
    keys, given = read_keys(key, seal.get("handovers", []))
    log_leaf, checkpoint = seal["leaf"], read_checkpoint(seal["checkpoint"], keys, given)
    if checkpoint is None:
        yield "the checkpoint is not signed"
        return
    if heads_root(head_of(tenant, len(lines) - 1, last), hashes(seal["heads_path"])).hex() != log_leaf["heads"]["root"]:
        yield "the last entry is not the tenant's newest"
    if not in_log(log_leaf, checkpoint["size"] - 1, seal["leaf_path"], checkpoint):
        yield "the leaf is not the last one in the checkpoint"
    if "since" in seal:
        earlier = read_checkpoint(seal["since"]["checkpoint"], keys)
        if earlier is None or not continues(earlier, checkpoint, hashes(seal["since"]["path"])):
            yield "the checkpoint does not continue the earlier one"
    oldest = datetime.datetime.fromisoformat(log_leaf["at"]) - datetime.timedelta(days=TEXT_DAYS)
    for seq, at in missing.items():
        if seq >= deleted and seq not in erased and datetime.datetime.fromisoformat(at) > oldest:
            yield f"the texts of entry {seq} are missing"
    for seq in erased - missing.keys():
        yield f"the texts of entry {seq} are present although it was erased"


def check_proof(proof, key):
    entry, log_leaf = proof["entry"], proof["leaf"]
    keys, given = read_keys(key, proof.get("handovers", []))
    checkpoint = read_checkpoint(proof["checkpoint"], keys, given)
    last = link(hash_of(proof["before"]), entry_hash(entry))
    for following in hashes(proof["after"]):
        last = link(last, following)
    head = head_of(entry["tenant_id"], entry["seq"] + len(proof["after"]), last)
    index, size = proof["new_heads_index"], log_leaf["new_heads"]["count"]
    if not 0 <= index < size:
        yield "no such head"
    elif root_from_path(index, size, leaf(canonical(head)), hashes(proof["new_heads_path"])).hex() != log_leaf["new_heads"]["root"]:
        yield "the entry does not lead to a head of the leaf"
    if "texts" in proof and not opens(entry, proof["texts"]):
        yield "the texts do not match the entry's commitments"
    if checkpoint is None or not in_log(log_leaf, proof["leaf_index"], proof["leaf_path"], checkpoint):
        yield "the leaf is not in a signed checkpoint"


def check_continuation(continuation, key):
    keys, given = read_keys(key, continuation.get("handovers", []))
    first, second = read_checkpoint(continuation["first"], keys), read_checkpoint(continuation["second"], keys, given)
    if first is None or second is None or not continues(first, second, hashes(continuation["path"])):
        yield "the second checkpoint does not continue the first"


def public_key(pem):
    return base64.b64decode("".join(pem.strip().splitlines()[1:-1]))[-32:]


def check_receipt(receipt, key):
    if not has(receipt, "body salt proof") or not is_line({"proof": receipt["proof"]}):
        return ["not in the format of version 1"]
    body, entry = json.loads(receipt["body"]), receipt["proof"]["entry"]
    faults = list(check_proof(receipt["proof"], key))
    if entry.get("detail", {}).get("receipt") != sha256(hash_of(receipt["salt"]), receipt["body"].encode()).hex():
        faults.append("the audit entry commits to another receipt")
    if (entry["action"], entry["tenant_id"]) != ("verification." + body["status"], body["tenant_id"]) or body["v"] != 1:
        faults.append("the audit entry has another outcome or tenant")
    return faults


def faults_of(receipt, key):
    try:
        return check_receipt(receipt, key)
    except MALFORMED as error:
        return [f"not in the format of version 1: {error}"]


def read_receipts(text):
    """One receipt, a page of them as the API returns it, or one on each line. None if the file has something else."""
    try:
        value = json.loads(text)
        found = value["data"] if isinstance(value, dict) and "data" in value else [value]
    except json.JSONDecodeError:
        found = [json.loads(line) for line in text.splitlines()]
    return found if all(isinstance(each, dict) and "salt" in each for each in found) else None


def check(texts, pem):
    """The faults of the lines of a file; empty if it is valid."""
    key = public_key(pem)
    lines = [json.loads(text) for text in texts]
    if [canonical(line) for line in lines] != list(texts):
        return ["not in canonical form"]
    if not all(map(is_line, lines)):
        return ["not in the format of version 1"]
    if len(lines) == 1 and "proof" in lines[0]:
        return list(check_proof(lines[0]["proof"], key))
    if len(lines) == 1 and "continuation" in lines[0]:
        return list(check_continuation(lines[0]["continuation"], key))
    if not lines or "seal" not in lines[-1] or not all("entry" in line for line in lines[:-1]):
        return ["not an export"]
    return list(check_export(lines, key))


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8", newline="\n") as file, open(sys.argv[2]) as pem:
        try:
            text, pem = file.read(), pem.read()
            receipts = read_receipts(text)
            if receipts is None:
                faults = check(text.removesuffix("\n").split("\n"), pem)
            else:
                found = [faults_of(receipt, public_key(pem)) for receipt in receipts]
                faults = [f"receipt {at}: {fault}" for at, each in enumerate(found, 1) for fault in each]
        except MALFORMED as error:
            faults = [f"not in the format of version 1: {error}"]
    print("\n".join(faults) or "as it was signed")
    sys.exit(1 if faults else 0)
