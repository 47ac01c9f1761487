package vidimus

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
)

const (
	wrapping     = "ECDH-ES+A256KW"
	content      = "A256GCM"
	sealKeyBytes = 32
)

type sealedText struct {
	Protected  string `json:"protected"`
	IV         string `json:"iv"`
	Ciphertext string `json:"ciphertext"`
	Tag        string `json:"tag"`
	Recipients []struct {
		Header       json.RawMessage `json:"header"`
		EncryptedKey string          `json:"encrypted_key"`
	} `json:"recipients"`
}

type sealedHeader struct {
	Alg, Enc, Kid string
	Apu, Apv      string
	Epk           struct{ X, Y string }
}

type sealingKey struct{ Kty, Crv, X, Y, D string }

// OpenResult returns the verification with the claims and credentials that were sealed to one of these private JWKs (P-256), each the text of
// a file sealing-key.json. One that is not sealed is returned as it is.
// It returns a SealedResultError if no key opens it, if it was changed, and if the result belongs to another verification.
func OpenResult(verification *Verification, privateJWKs ...[]byte) (*Verification, error) {
	member, isObject := verification.Claims["_sealed"].(map[string]any)
	if !isObject || member["recipients"] == nil || member["ciphertext"] == nil {
		return verification, nil
	}
	var sealed sealedText
	text, err := json.Marshal(member)
	if err != nil || json.Unmarshal(text, &sealed) != nil {
		return nil, damaged()
	}
	plaintext, err := openText(sealed, privateJWKs)
	if err != nil {
		return nil, err
	}
	var inside Verification
	if json.Unmarshal(plaintext, &inside) != nil {
		return nil, damaged()
	}
	if inside.ID != verification.ID {
		return nil, &SealedResultError{"other_verification", fmt.Sprintf("The sealed result belongs to %s, not to %s. Do not accept it.", inside.ID, verification.ID)}
	}
	opened := *verification
	// What is readable beside it can be changed, and is inside too.
	opened.Claims, opened.Credentials = inside.Claims, inside.Credentials
	return &opened, nil
}

// openText follows RFC 7516 and RFC 7518 §4.6.
func openText(sealed sealedText, privateJWKs [][]byte) ([]byte, error) {
	keys, given := map[string]sealingKey{}, []string{}
	for _, text := range privateJWKs {
		key, kid, err := readSealingKey(text)
		if err != nil {
			return nil, err
		}
		keys[kid], given = key, append(given, kid)
	}
	needed := []string{}
	for _, recipient := range sealed.Recipients {
		var header sealedHeader
		shared, err := decodeText(sealed.Protected)
		if err != nil || json.Unmarshal(shared, &header) != nil || json.Unmarshal(recipient.Header, &header) != nil {
			return nil, damaged()
		}
		needed = append(needed, header.Kid)
		key, found := keys[header.Kid]
		if !found {
			continue
		}
		if header.Alg != wrapping || header.Enc != content {
			return nil, &SealedResultError{"unsupported", fmt.Sprintf("Sealed with %q and %q, which this version cannot open.", header.Alg, header.Enc)}
		}
		plaintext, err := decryptText(sealed, key, header, recipient.EncryptedKey)
		if err != nil {
			return nil, damaged()
		}
		return plaintext, nil
	}
	if len(given) == 0 {
		given = []string{"none"}
	}
	return nil, &SealedResultError{"no_key", fmt.Sprintf("None of the given keys opens this. It was sealed to %s; you gave %s.", strings.Join(needed, ", "), strings.Join(given, ", "))}
}

func decryptText(sealed sealedText, key sealingKey, header sealedHeader, encryptedKey string) ([]byte, error) {
	parts := map[string][]byte{}
	for name, text := range map[string]string{
		"x": header.Epk.X, "y": header.Epk.Y, "d": key.D, "key": encryptedKey, "apu": header.Apu, "apv": header.Apv,
		"iv": sealed.IV, "text": sealed.Ciphertext, "tag": sealed.Tag,
	} {
		part, err := decodeText(text)
		if err != nil {
			return nil, err
		}
		parts[name] = part
	}
	// Unmarshal refuses a point that is not on the curve.
	x, y := elliptic.Unmarshal(elliptic.P256(), append(append([]byte{4}, parts["x"]...), parts["y"]...))
	if x == nil {
		return nil, errors.New("the ephemeral key is not on the curve")
	}
	shared, _ := elliptic.P256().ScalarMult(x, y, parts["d"])
	kek := deriveKey(shared.FillBytes(make([]byte, sealKeyBytes)), parts["apu"], parts["apv"])
	cek, err := unwrapKey(kek, parts["key"])
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(cek)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil || len(parts["iv"]) != gcm.NonceSize() || len(parts["tag"]) != gcm.Overhead() {
		return nil, errors.New("the nonce or the tag has another length")
	}
	return gcm.Open(nil, parts["iv"], append(parts["text"], parts["tag"]...), []byte(sealed.Protected))
}

// deriveKey is the Concat KDF (RFC 7518 §4.6.2) for a key of the length of one hash.
func deriveKey(secret, apu, apv []byte) []byte {
	info := append([]byte{0, 0, 0, 1}, secret...)
	for _, part := range [][]byte{[]byte(wrapping), apu, apv} {
		info = append(binary.BigEndian.AppendUint32(info, uint32(len(part))), part...)
	}
	key := sha256.Sum256(binary.BigEndian.AppendUint32(info, 8*sealKeyBytes))
	return key[:]
}

// unwrapKey is AES key unwrap (RFC 3394 §2.2.2), which Go's standard library does not have, for a key of 256 bits.
func unwrapKey(kek, wrapped []byte) ([]byte, error) {
	const n = sealKeyBytes / 8
	if len(wrapped) != 8*(n+1) {
		return nil, errors.New("the wrapped key has another length")
	}
	block, err := aes.NewCipher(kek)
	if err != nil {
		return nil, err
	}
	a, r := append([]byte{}, wrapped[:8]...), append([]byte{}, wrapped[8:]...)
	buffer := make([]byte, aes.BlockSize)
	for t := 6 * n; t > 0; t-- {
		register := r[8*((t-1)%n):][:8]
		binary.BigEndian.PutUint64(buffer, binary.BigEndian.Uint64(a)^uint64(t))
		copy(buffer[8:], register)
		block.Decrypt(buffer, buffer)
		copy(a, buffer[:8])
		copy(register, buffer[8:])
	}
	if subtle.ConstantTimeCompare(a, []byte("\xa6\xa6\xa6\xa6\xa6\xa6\xa6\xa6")) != 1 {
		return nil, errors.New("the wrapped key was changed")
	}
	return r, nil
}

// readSealingKey returns a private key with its thumbprint (RFC 7638). Its error never contains the key.
func readSealingKey(text []byte) (sealingKey, string, error) {
	var key sealingKey
	usable := json.Unmarshal(text, &key) == nil && key.Kty == "EC" && key.Crv == "P-256"
	numbers := [3]*big.Int{}
	for i, member := range []string{key.X, key.Y, key.D} {
		number, err := decodeText(member)
		usable = usable && err == nil && len(number) == sealKeyBytes
		numbers[i] = new(big.Int).SetBytes(number)
	}
	if usable {
		x, y := elliptic.P256().ScalarBaseMult(numbers[2].Bytes())
		usable = x.Cmp(numbers[0]) == 0 && y.Cmp(numbers[1]) == 0
	}
	if !usable {
		return key, "", &SealedResultError{"unusable_key", "A private key must be the complete JWK of sealing-key.json: kty EC, crv P-256, x, y and d."}
	}
	digest := sha256.Sum256([]byte(fmt.Sprintf(`{"crv":"P-256","kty":"EC","x":%q,"y":%q}`, key.X, key.Y)))
	return key, base64.RawURLEncoding.EncodeToString(digest[:]), nil
}

func decodeText(text string) ([]byte, error) { return base64.RawURLEncoding.DecodeString(text) }

func damaged() error {
	return &SealedResultError{"damaged", "The key is named, but does not open this: the text was changed, or the private key is another one."}
}
