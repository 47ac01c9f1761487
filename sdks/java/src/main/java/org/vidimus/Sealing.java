package org.vidimus;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.vidimus.model.Verification;

/** Opens sealed results: claims that were encrypted to your key. */
public final class Sealing {
    private static final String WRAPPING = "ECDH-ES+A256KW";
    private static final String CONTENT = "A256GCM";
    private static final int KEY_BYTES = 32;

    private Sealing() {}

    /**
     * The verification with the claims and credentials that were sealed to one of these keys. One that is not sealed is returned as it is.
     * Throws a {@code SealedResultException} if no key opens it, if it was changed, and if the result belongs to another verification.
     *
     * @param privateJwks Private keys (P-256), each the text of a file sealing-key.json.
     */
    public static Verification openResult(Verification verification, String... privateJwks) {
        Map<String, Object> claims = verification.claims() == null ? Map.of() : verification.claims();
        if (!(claims.get("_sealed") instanceof Map<?, ?> sealed) || !sealed.containsKey("recipients") || !sealed.containsKey("ciphertext")) {
            return verification;
        }
        Map<?, ?> opened;
        Verification inside;
        try {
            opened = (Map<?, ?>) Json.read(decrypt(sealed, readKeys(privateJwks)));
            inside = Records.read(Verification.class, opened);
            if (inside.id() == null || inside.claims() == null || inside.credentials() == null) throw damaged(null);
        } catch (GeneralSecurityException | IllegalArgumentException | ClassCastException | NullPointerException error) {
            throw damaged(error);
        }
        if (!inside.id().equals(verification.id())) {
            throw new SealedResultException("other_verification",
                "The sealed result belongs to " + inside.id() + ", not to " + verification.id() + ". Do not accept it.", null);
        }
        // What is readable beside it can be changed, and is inside too.
        return Records.with(verification, Map.of("claims", inside.claims(), "credentials", inside.credentials()));
    }

    /** RFC 7516 and RFC 7518 §4.6. */
    private static String decrypt(Map<?, ?> sealed, Map<String, PrivateKey> keys) throws GeneralSecurityException {
        List<String> needed = new ArrayList<>();
        for (Object each : (List<?>) sealed.get("recipients")) {
            Map<?, ?> recipient = (Map<?, ?>) each;
            Map<Object, Object> header = new LinkedHashMap<>((Map<?, ?>) Json.read(text(bytes(sealed.get("protected")))));
            header.putAll((Map<?, ?>) recipient.get("header"));
            needed.add(String.valueOf(header.get("kid")));
            PrivateKey key = keys.get(String.valueOf(header.get("kid")));
            if (key == null) continue;
            if (!WRAPPING.equals(header.get("alg")) || !CONTENT.equals(header.get("enc"))) {
                throw new SealedResultException("unsupported",
                    "Sealed with " + header.get("alg") + " and " + header.get("enc") + ", which this version cannot open.", null);
            }
            Cipher unwrapping = Cipher.getInstance("AESWrap");
            unwrapping.init(Cipher.UNWRAP_MODE, deriveKey(agree(key, (Map<?, ?>) header.get("epk")), header));
            Key content = unwrapping.unwrap(bytes(recipient.get("encrypted_key")), "AES", Cipher.SECRET_KEY);
            Cipher decrypting = Cipher.getInstance("AES/GCM/NoPadding");
            decrypting.init(Cipher.DECRYPT_MODE, content, new GCMParameterSpec(128, bytes(sealed.get("iv"))));
            decrypting.updateAAD(((String) sealed.get("protected")).getBytes(StandardCharsets.US_ASCII));
            decrypting.update(bytes(sealed.get("ciphertext")));
            byte[] tag = bytes(sealed.get("tag"));
            if (tag.length != 16) throw new InvalidKeyException("the tag has another length");
            return text(decrypting.doFinal(tag));
        }
        throw new SealedResultException("no_key", "None of the given keys opens this. It was sealed to " + String.join(", ", needed)
            + "; you gave " + (keys.isEmpty() ? "none" : String.join(", ", keys.keySet())) + ".", null);
    }

    private static byte[] agree(PrivateKey key, Map<?, ?> epk) throws GeneralSecurityException {
        ECPoint point = new ECPoint(new BigInteger(1, bytes(epk.get("x"))), new BigInteger(1, bytes(epk.get("y"))));
        PublicKey ephemeral = KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(point, p256()));
        KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
        agreement.init(key);
        agreement.doPhase(ephemeral, true); // It refuses a point that is not on the curve.
        return agreement.generateSecret();
    }

    /** The Concat KDF (RFC 7518 §4.6.2) for a key of the length of one hash. */
    private static Key deriveKey(byte[] secret, Map<?, ?> header) throws GeneralSecurityException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(bigEndian(1));
        digest.update(secret);
        for (byte[] part : List.of(WRAPPING.getBytes(StandardCharsets.US_ASCII), optional(header.get("apu")), optional(header.get("apv")))) {
            digest.update(bigEndian(part.length));
            digest.update(part);
        }
        return new SecretKeySpec(digest.digest(bigEndian(8 * KEY_BYTES)), "AES");
    }

    /** By thumbprint (RFC 7638). An error never contains the key. */
    private static Map<String, PrivateKey> readKeys(String... privateJwks) {
        Map<String, PrivateKey> keys = new LinkedHashMap<>();
        for (String jwk : privateJwks) {
            try {
                Map<?, ?> key = (Map<?, ?>) Json.read(jwk);
                byte[] x = bytes(key.get("x"));
                byte[] y = bytes(key.get("y"));
                byte[] d = bytes(key.get("d"));
                if (!"EC".equals(key.get("kty")) || !"P-256".equals(key.get("crv")) || x.length != KEY_BYTES || y.length != KEY_BYTES || d.length != KEY_BYTES) {
                    throw new IllegalArgumentException();
                }
                String members = "{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"" + key.get("x") + "\",\"y\":\"" + key.get("y") + "\"}";
                byte[] thumbprint = MessageDigest.getInstance("SHA-256").digest(members.getBytes(StandardCharsets.US_ASCII));
                keys.put(Base64.getUrlEncoder().withoutPadding().encodeToString(thumbprint),
                    KeyFactory.getInstance("EC").generatePrivate(new ECPrivateKeySpec(new BigInteger(1, d), p256())));
            } catch (GeneralSecurityException | IllegalArgumentException | ClassCastException | NullPointerException error) {
                throw new SealedResultException("unusable_key",
                    "A private key must be the complete JWK of sealing-key.json: kty EC, crv P-256, x, y and d.", null);
            }
        }
        return keys;
    }

    private static ECParameterSpec p256() throws GeneralSecurityException {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(new ECGenParameterSpec("secp256r1"));
        return parameters.getParameterSpec(ECParameterSpec.class);
    }

    private static byte[] bigEndian(int value) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
    }

    private static byte[] optional(Object text) {
        return text == null ? new byte[0] : bytes(text);
    }

    private static byte[] bytes(Object text) {
        return Base64.getUrlDecoder().decode((String) text);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static SealedResultException damaged(Exception cause) {
        return new SealedResultException("damaged",
            "The key is named, but does not open this: the text was changed, or the private key is another one.", cause);
    }
}
