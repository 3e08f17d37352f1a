/* What the machine can do, in C: the limits our kernels are measured against. Compiled on the spot by benchmarks/odds.py.
 *
 * Cards: rank 0 is the ten, 1 the ace, 10 to 12 the pictures, so that a rank below ten is its own points. */
#include <stdint.h>
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

static inline uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

typedef struct { uint64_t s[4]; } rng;

static inline uint64_t next(rng *r) {
    uint64_t *s = r->s, result = rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rotl(s[3], 45);
    return result;
}

static inline uint32_t below(rng *r, uint32_t n) {
    uint64_t m = (next(r) >> 32) * n;
    if ((uint32_t)m < n)
        for (uint32_t floor = -n % n; (uint32_t)m < floor;) m = (next(r) >> 32) * n;
    return m >> 32;
}

/* ---- plain scalar C: every round from a full shoe, cards drawn one at a time as the table of play needs them ---- */
static int cell(const int *p, const int *rank, const uint8_t *player, const uint8_t *alone, const uint8_t *banker,
                int k, int a, int b) {
    int third = player[a * 10 + b], fourth = third ? k == 6 : alone[a * 10 + b];
    int pairs = 2 * (rank[0] == rank[2]) + (rank[1] == rank[3]);
    int pp = third ? (a + p[4]) % 10 : a, bp = fourth ? (b + p[k - 1]) % 10 : b;
    return (((pairs * 2 + third) * 2 + fourth) * 10 + pp) * 10 + bp;
}

void fresh_scalar(uint64_t *state, int64_t rounds, int cards, int copies, const uint8_t *player, const uint8_t *alone,
                  const uint8_t *banker, int64_t *tally) {
    rng r;
    memcpy(r.s, state, sizeof r.s);
    for (int64_t i = 0; i < rounds; i++) {
        int drawn[6], rank[6], p[6], need = 4, k = 0, a = 0, b = 0;
        while (k < need) {
            int card = below(&r, cards), again = 0;
            for (int j = 0; j < k; j++) again |= drawn[j] == card;
            if (again) continue;
            drawn[k] = card;
            rank[k] = card / copies;
            p[k] = rank[k] < 10 ? rank[k] : 0;
            k++;
            if (k == 4) {
                a = (p[0] + p[2]) % 10, b = (p[1] + p[3]) % 10;
                need += player[a * 10 + b] | alone[a * 10 + b];
            } else if (k == 5 && player[a * 10 + b] && banker[p[4] * 8 + b]) need = 6;
        }
        tally[cell(p, rank, player, alone, banker, k, a, b)]++;
    }
    memcpy(state, r.s, sizeof r.s);
}

static inline void come(rng *r, uint8_t *shoe, int i, int cards) {
    int j = i + below(r, cards - i);
    uint8_t t = shoe[i]; shoe[i] = shoe[j]; shoe[j] = t;
}

/* ---- plain scalar C: whole shoes, shuffled as they are dealt ---- */
void shoes_scalar(uint64_t *state, int64_t rounds, uint8_t *shoe, int cards, int burn, int cut, const uint8_t *player,
                  const uint8_t *alone, const uint8_t *banker, int64_t *tally) {
    rng r;
    memcpy(r.s, state, sizeof r.s);
    while (rounds > 0) {
        int drawn = 0, last = 0;
        for (; drawn < burn; drawn++) come(&r, shoe, drawn, cards);
        while (rounds > 0 && !last) {
            last = cards - drawn <= cut;
            rounds--;
            if (cards - drawn < 4) { tally[1600]++; break; }
            for (int k = drawn; k < drawn + 4; k++) come(&r, shoe, k, cards);
            const uint8_t *c = shoe + drawn;
            int a = (c[0] & 15) + (c[2] & 15), b = (c[1] & 15) + (c[3] & 15);
            int pairs = 2 * (c[0] == c[2]) + (c[1] == c[3]);
            a -= a >= 10 ? 10 : 0, b -= b >= 10 ? 10 : 0;
            drawn += 4;
            int third = player[a * 10 + b], fourth = alone[a * 10 + b];
            if ((third || fourth) && drawn == cards) { tally[1600]++; break; }
            if (third) {
                come(&r, shoe, drawn, cards);
                int card = shoe[drawn++] & 15;
                a += card, a -= a >= 10 ? 10 : 0;
                fourth = banker[card * 8 + b];
                if (fourth && drawn == cards) { tally[1600]++; break; }
            }
            if (fourth) {
                come(&r, shoe, drawn, cards);
                b += shoe[drawn++] & 15, b -= b >= 10 ? 10 : 0;
            }
            tally[(((pairs * 2 + third) * 2 + fourth) * 10 + a) * 10 + b]++;
        }
    }
    memcpy(state, r.s, sizeof r.s);
}

/* ---- as near to the hardware's limit as we can write it: sixteen rounds in a register, state kept in registers ---- */
#if defined(__AVX2__)
#define BLOCK 2048
static inline __m256i rot(__m256i x, int k) {
    return _mm256_or_si256(_mm256_slli_epi64(x, k), _mm256_srli_epi64(x, 64 - k));
}

void fresh_vector(uint64_t *state, int64_t rounds, int cards, int copies, const uint16_t *outcome, uint32_t *tally) {
    static __attribute__((aligned(64))) uint16_t random[6 * BLOCK], keys[BLOCK];
    static uint32_t part[4][1601];
    memset(part, 0, sizeof part);
    const __m256i n = _mm256_set1_epi16(cards), uneven = _mm256_set1_epi16(65536 % cards),
                  rank = _mm256_set1_epi16((65536 + copies - 1) / copies), ten = _mm256_set1_epi16(10),
                  sign = _mm256_set1_epi16((short)0x8000), limit = _mm256_xor_si256(uneven, sign),
                  thousand = _mm256_set1_epi16(1000), hundred = _mm256_set1_epi16(100),
                  two = _mm256_set1_epi16(20000), one = _mm256_set1_epi16(10000),
                  trash = _mm256_set1_epi16((short)40000), nine = _mm256_set1_epi16(9);
    __m256i s[2][4];
    for (int g = 0; g < 2; g++)
        for (int w = 0; w < 4; w++) s[g][w] = _mm256_loadu_si256((const __m256i *)(state + (g * 4 + w) * 4));
    while (rounds > 0) {
        for (int i = 0; i < 6 * BLOCK / 32; i++)
            for (int g = 0; g < 2; g++) {
                __m256i *q = s[g], sum = _mm256_add_epi64(q[0], q[3]);
                __m256i out = _mm256_add_epi64(rot(sum, 23), q[0]), t = _mm256_slli_epi64(q[1], 17);
                q[2] = _mm256_xor_si256(q[2], q[0]);
                q[3] = _mm256_xor_si256(q[3], q[1]);
                q[1] = _mm256_xor_si256(q[1], q[2]);
                q[0] = _mm256_xor_si256(q[0], q[3]);
                q[2] = _mm256_xor_si256(q[2], t);
                q[3] = rot(q[3], 45);
                _mm256_store_si256((__m256i *)(random + i * 32 + g * 16), out);
            }
        for (int i = 0; i < BLOCK; i += 16) {
            __m256i c[6], r[6], bad = _mm256_setzero_si256();
            for (int k = 0; k < 6; k++) {
                __m256i u = _mm256_load_si256((const __m256i *)(random + k * BLOCK + i));
                c[k] = _mm256_mulhi_epu16(u, n);
                __m256i low = _mm256_xor_si256(_mm256_mullo_epi16(u, n), sign);
                bad = _mm256_or_si256(bad, _mm256_cmpgt_epi16(limit, low));
            }
            for (int k = 1; k < 6; k++)
                for (int j = 0; j < k; j++) bad = _mm256_or_si256(bad, _mm256_cmpeq_epi16(c[k], c[j]));
            for (int k = 0; k < 6; k++) r[k] = _mm256_mulhi_epu16(c[k], rank);
            __m256i key = _mm256_add_epi16(_mm256_and_si256(_mm256_cmpeq_epi16(r[0], r[2]), two),
                                           _mm256_and_si256(_mm256_cmpeq_epi16(r[1], r[3]), one));
            for (int k = 0; k < 6; k++) r[k] = _mm256_andnot_si256(_mm256_cmpgt_epi16(r[k], nine), r[k]);
            __m256i a = _mm256_add_epi16(r[0], r[2]), b = _mm256_add_epi16(r[1], r[3]);
            a = _mm256_sub_epi16(a, _mm256_and_si256(_mm256_cmpgt_epi16(a, nine), ten));
            b = _mm256_sub_epi16(b, _mm256_and_si256(_mm256_cmpgt_epi16(b, nine), ten));
            key = _mm256_add_epi16(key, _mm256_add_epi16(_mm256_mullo_epi16(a, thousand), _mm256_mullo_epi16(b, hundred)));
            key = _mm256_add_epi16(key, _mm256_add_epi16(_mm256_mullo_epi16(r[4], ten), r[5]));
            key = _mm256_blendv_epi8(key, trash, bad);
            _mm256_store_si256((__m256i *)(keys + i), key);
        }
        int64_t before = (int64_t)part[0][1600] + part[1][1600] + part[2][1600] + part[3][1600];
        for (int i = 0; i < BLOCK; i += 4)
            for (int g = 0; g < 4; g++) part[g][outcome[keys[i + g]]]++;
        rounds -= BLOCK - ((int64_t)part[0][1600] + part[1][1600] + part[2][1600] + part[3][1600] - before);
    }
    for (int g = 0; g < 4; g++)
        for (int k = 0; k <= 1600; k++) tally[k] += part[g][k];
}
#endif

/* ---- the exact law of points and numbers of cards, eight Banker totals side by side ---- */
typedef double v8 __attribute__((vector_size(64)));

static void table(const double *m, double a[10][16], double *s) {
    for (int i = 0; i < 10; i++) {
        for (int b = 0; b < 10; b++) a[i][b] = m[(b - i + 10) % 10];
        a[i][2 * i % 10] -= 1;
    }
    for (int b = 0; b < 10; b++) {
        s[b] = 0;
        for (int i = 0; i < 10; i++) s[b] += m[i] * a[i][b];
    }
}

static double hands(const double *m, double a[10][16], const double *s, int p, int b) {
    double v = 0;
    for (int i = 0; i < 10; i++) v += m[i] * a[i][p] * a[i][b];
    return s[p] * s[b] - 4 * v + (p == b ? 2 * s[p] : 0);
}

static void take(double *m, double a[10][16], int x, double change) {
    m[x] += change;
    for (int i = 0; i < 10 - x; i++) a[i][x + i] += change;
    for (int i = 10 - x; i < 10; i++) a[i][x + i - 10] += change;
}

void exact_points(double *m, double four, double five, const uint8_t *player, const uint8_t *alone, const double *banker,
                  double *out) {
    static __attribute__((aligned(64))) double a[10][16];
    double s[16], s1[16], sixth[20][24];
    memset(sixth, 0, sizeof sixth);
    table(m, a, s);
    for (int p = 0; p < 10; p++)
        for (int b = 0; b < 10; b++)
            if (!player[p * 10 + b] && !alone[p * 10 + b]) out[p * 10 + b] += four * hands(m, a, s, p, b);
    for (int x = 0; x < 10; x++) {
        double mx = m[x];
        if (mx == 0) continue;
        for (int b = 0; b < 10; b++) s1[b] = s[b] - 2 * a[x][b];
        take(m, a, x, -1);
        for (int p = 0; p < 8; p++)
            for (int b = 0; b < 8; b++) {
                if (alone[p * 10 + b]) out[100 + p * 10 + (b + x) % 10] += mx * five * hands(m, a, s1, p, b);
                else if (player[p * 10 + b] && banker[x * 8 + b] == 0)
                    out[200 + (p + x) % 10 * 10 + b] += mx * five * hands(m, a, s1, p, b);
            }
        for (int y = x; y < 10; y++) {
            double my = m[y];
            if (my == 0) continue;
            v8 s2, ay, dx, dy;
            memcpy(&s2, s1, 64);
            memcpy(&ay, a[y], 64);
            memcpy(&dx, banker + x * 8, 64);
            memcpy(&dy, banker + y * 8, 64);
            s2 -= 2 * ay;
            take(m, a, y, -1);
            double w = mx * my;
            for (int p = 0; p < 6; p++) {
                v8 v = {0}, q, to;
                for (int i = 0; i < 10; i++) {
                    v8 row;
                    memcpy(&row, a[i], 64);
                    v += m[i] * a[i][p] * row;
                }
                q = w * (s2[p] * s2 - 4 * v);
                q[p] += 2 * w * s2[p];
                memcpy(&to, &sixth[p + x][y], 64);
                to += q * dx;
                memcpy(&sixth[p + x][y], &to, 64);
                if (x != y) {
                    memcpy(&to, &sixth[p + y][x], 64);
                    to += q * dy;
                    memcpy(&sixth[p + y][x], &to, 64);
                }
            }
            take(m, a, y, 1);
        }
        take(m, a, x, 1);
    }
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 20; j++) out[300 + i % 10 * 10 + j % 10] += sixth[i][j];
}

/* so often that calling it from Python does not count */
void exact_points_often(int64_t times, const double *classes, double four, double five, const uint8_t *player,
                        const uint8_t *alone, const double *banker, double *out) {
    while (times-- > 0) {
        double m[10];
        memcpy(m, classes, sizeof m);
        memset(out, 0, 400 * sizeof *out);
        exact_points(m, four, five, player, alone, banker, out);
    }
}
