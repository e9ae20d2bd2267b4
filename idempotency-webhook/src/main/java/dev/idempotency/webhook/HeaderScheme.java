// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** Signatures of one or more versions in one header. */
record HeaderScheme(SignatureHeader header, SignedFrame frame, List<SignatureVersion> versions)
        implements SignatureScheme {

    @Override
    public Verification verify(Delivery delivery, Collection<Secret> secrets, Instant now) {
        if (header.isMissing(delivery)) {
            return new Verification.Refused(Refusal.SIGNATURE_MISSING);
        }
        SignedFrame.Read read = frame.read(delivery, now);
        if (read instanceof SignedFrame.Read.Unusable unusable) {
            return new Verification.Refused(unusable.reason());
        }
        List<byte[]> content = ((SignedFrame.Read.Content) read).pieces();
        boolean known = false;
        boolean matches = false;
        for (SignatureVersion version : versions) {
            List<byte[]> signatures = version.decode(header.elements(delivery, version.prefix()));
            known |= !signatures.isEmpty();
            for (Secret secret : signatures.isEmpty() ? List.<Secret>of() : secrets) {
                matches |= version.takes(secret) && version.matches(secret, content, signatures);
            }
        }
        if (matches) {
            return new Verification.Verified();
        }
        return new Verification.Refused(known ? Refusal.SIGNATURE_WRONG : Refusal.SIGNATURE_UNKNOWN);
    }

    @Override
    public void requireUsable(Secret secret) {
        for (SignatureVersion version : versions) {
            if (version.takes(secret)) {
                version.requireUsable(secret);
                return;
            }
        }
        throw new IllegalArgumentException("must not be a public key: this scheme signs with a shared secret");
    }

    @Override
    public SignatureScheme withTolerance(Duration tolerance) {
        return new HeaderScheme(header, frame.with(frame.tolerance().with(tolerance)), versions);
    }
}
