// FieldTraits of types made of others: optional, vector, map, pair, tuple, and structs described with Boost.Describe.
//
//   struct Order { std::string user; int amount = 0; std::optional<std::string> note; };
//   BOOST_DESCRIBE_STRUCT(Order, (), (user, amount, note))      // after the struct, in its namespace
//
// The fields of a struct are those described, in that order, base classes' first; those of a tuple are f0, f1, ….
// Threads: stateless.
#pragma once

#include <boost/describe.hpp>
#include <boost/mp11/algorithm.hpp>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

#include "client/api/thalweg/field_traits.h"

namespace thalweg::api {

template <typename T>
struct IsTuple : std::false_type {};
template <typename... Ts>
struct IsTuple<std::tuple<Ts...>> : std::true_type {};
template <typename A, typename B>
struct IsTuple<std::pair<A, B>> : std::true_type {};

template <typename T>
concept Described = std::is_class_v<T> && boost::describe::has_describe_members<T>::value;
template <typename T>
concept Composite = Described<T> || IsTuple<T>::value;

/// Whether T can be a field, or a record.
template <typename T>
concept Usable = Composite<T> || !requires { FieldTraits<T>::kUndefined; };

/// Stops with words when T cannot be used.
template <typename T>
constexpr void requireUsable() {
  static_assert(Usable<T>,
                "this type cannot be a record or a field of one: describe the struct with BOOST_DESCRIBE_STRUCT(Name, (), "
                "(field, ...)), use std::tuple, or specialise thalweg::api::TypeSerializer for it");
  static_assert(!Usable<T> || std::is_default_constructible_v<T>, "a record or a field of one needs a default constructor");
}

/// Calls `visit(name, accessor)` for each member; accessor(T&) gives the member. Instantiated once per T and visitor.
template <Composite T, typename Visit>
void forEachMember(Visit&& visit) {
  if constexpr (Described<T>) {
    using Members = boost::describe::describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>;
    boost::mp11::mp_for_each<Members>([&](auto member) {
      visit(member.name, [](auto& object) -> auto& { return object.*decltype(member)::pointer; });
    });
  } else {
    [&]<size_t... I>(std::index_sequence<I...>) {
      (visit(("f" + std::to_string(I)).c_str(), [](auto& object) -> auto& { return std::get<I>(object); }), ...);
    }(std::make_index_sequence<std::tuple_size_v<T>>());
  }
}
template <typename Accessor, typename T>
using MemberOf = std::remove_cvref_t<decltype(std::declval<Accessor>()(std::declval<T&>()))>;

/// `Order` for shop::Order.
std::string plainTypeName(std::string_view pretty_function);
template <typename T>
std::string typeName() {
  return plainTypeName(__PRETTY_FUNCTION__);
}

template <typename T>
concept Streamable = requires(std::ostream& out, const T& value) { out << value; };
template <typename T>
concept HasToString = requires(const T& value) { { value.toString() } -> std::convertible_to<std::string>; };

/// Rows of `column` that are not NULL; empty with `all` true if none is.
struct PresentRows {
  bool all = true;
  std::vector<RowIndex> rows;
};
PresentRows presentRows(const Vector& column, size_t n, bool nullable);
VectorPtr selectRows(const VectorPtr& column, std::span<const RowIndex> rows);
/// A ROW, LIST or MAP column from its parts; validity from `null_rows` (a byte per row, empty: none).
VectorPtr makeRowVector(const DataType& type, size_t n, std::vector<VectorPtr> children, const std::vector<uint8_t>& null_rows);
VectorPtr makeListVector(const DataType& type, std::span<const int32_t> offsets, std::vector<VectorPtr> children,
                         const std::vector<uint8_t>& null_rows);
/// Which child rows each list row holds, in order.
struct ListRows {
  std::vector<std::pair<size_t, size_t>> extents;   ///< list row, length; NULL rows left out
  std::vector<RowIndex> elements;
};
ListRows listRows(const Vector& column, size_t n, bool nullable);

template <typename F>
struct FieldTraits<std::optional<F>> {
  static DataType type() { return FieldTraits<F>::type().asNullable(); }
  template <typename Get>
  static VectorPtr encode(const DataType& type, size_t n, Get get) {
    return FieldTraits<F>::encode(type, n, [&](size_t i) -> const F* {
      const std::optional<F>* value = get(i);
      return value != nullptr && value->has_value() ? &**value : nullptr;
    });
  }
  template <typename Place>
  static void decode(const Vector& column, size_t n, Place place, bool) {
    FieldTraits<F>::decode(column, n, [&](size_t i) -> F& { return place(i).emplace(); }, true);
  }
  static Value toValue(const std::optional<F>& value) { return value ? FieldTraits<F>::toValue(*value) : Value::null(); }
  static std::optional<F> fromValue(const Value& value, const DataType& type) {
    if (value.isNull()) return std::nullopt;
    return FieldTraits<F>::fromValue(value, type);
  }
  static void write(const std::optional<F>& value, std::string& out) {
    out += value ? '\1' : '\0';
    if (value) FieldTraits<F>::write(*value, out);
  }
  static void read(ByteReader& in, std::optional<F>& value) {
    if (in.take(1)[0] == '\0') value.reset();
    else FieldTraits<F>::read(in, value.emplace());
  }
  static void text(const std::optional<F>& value, std::string& out) {
    if (value) FieldTraits<F>::text(*value, out);
    else out += "null";
  }
};

template <typename E>
struct FieldTraits<std::vector<E>> {
  static_assert(!std::is_same_v<E, bool>, "std::vector<bool> has no addressable elements: use std::vector<std::optional<bool>> or int8_t");
  static DataType type() { return DataType::array(FieldTraits<E>::type(), false); }
  template <typename Get>
  static VectorPtr encode(const DataType& type, size_t n, Get get) {
    std::vector<int32_t> offsets(1, 0);
    std::vector<const E*> elements;
    std::vector<uint8_t> nulls;
    for (size_t i = 0; i < n; ++i) {
      if (const std::vector<E>* list = get(i)) {
        for (const E& element : *list) elements.push_back(&element);
      } else {
        nulls.resize(n);
        nulls[i] = 1;
      }
      offsets.push_back(static_cast<int32_t>(elements.size()));
    }
    VectorPtr child = FieldTraits<E>::encode(type.child(0), elements.size(), [&](size_t i) { return elements[i]; });
    return makeListVector(type, offsets, {std::move(child)}, nulls);
  }
  template <typename Place>
  static void decode(const Vector& column, size_t n, Place place, bool nullable) {
    const ListRows rows = listRows(column, n, nullable);
    std::vector<E*> places;
    for (const auto& [row, length] : rows.extents) {
      std::vector<E>& list = place(row);
      list.clear();
      list.resize(length);
      for (E& element : list) places.push_back(&element);
    }
    const VectorPtr child = selectRows(NestedReader(column).child(0), rows.elements);
    FieldTraits<E>::decode(*child, places.size(), [&](size_t i) -> E& { return *places[i]; }, false);
  }
  static Value toValue(const std::vector<E>& list) {
    std::vector<Value> values;
    for (const E& element : list) values.push_back(FieldTraits<E>::toValue(element));
    return Value::list(std::move(values));
  }
  static std::vector<E> fromValue(const Value& value, const DataType& type) {
    if (!std::holds_alternative<ListValue>(value.content())) refuseValue(type, "an array");
    std::vector<E> list;
    for (const Value& element : value.asList()) list.push_back(FieldTraits<E>::fromValue(element, type.child(0)));
    return list;
  }
  static void write(const std::vector<E>& list, std::string& out) {
    writeNumber(out, static_cast<uint32_t>(list.size()));
    for (const E& element : list) FieldTraits<E>::write(element, out);
  }
  static void read(ByteReader& in, std::vector<E>& list) {
    const auto size = in.number<uint32_t>();
    list.clear();
    for (uint32_t i = 0; i < size; ++i) FieldTraits<E>::read(in, list.emplace_back());
  }
  static void text(const std::vector<E>& list, std::string& out) {
    out += '[';
    for (const E& element : list) {
      if (&element != list.data()) out += ", ";
      FieldTraits<E>::text(element, out);
    }
    out += ']';
  }
};

template <typename K, typename V>
struct FieldTraits<std::map<K, V>> {
  using Map = std::map<K, V>;
  static DataType type() { return DataType::map(FieldTraits<K>::type(), FieldTraits<V>::type(), false); }
  template <typename Get>
  static VectorPtr encode(const DataType& type, size_t n, Get get) {
    std::vector<int32_t> offsets(1, 0);
    std::vector<const typename Map::value_type*> entries;
    std::vector<uint8_t> nulls;
    for (size_t i = 0; i < n; ++i) {
      if (const Map* map = get(i)) {
        for (const auto& entry : *map) entries.push_back(&entry);
      } else {
        nulls.resize(n);
        nulls[i] = 1;
      }
      offsets.push_back(static_cast<int32_t>(entries.size()));
    }
    VectorPtr keys = FieldTraits<K>::encode(type.child(0), entries.size(), [&](size_t i) { return &entries[i]->first; });
    VectorPtr values = FieldTraits<V>::encode(type.child(1), entries.size(), [&](size_t i) { return &entries[i]->second; });
    return makeListVector(type, offsets, {std::move(keys), std::move(values)}, nulls);
  }
  template <typename Place>
  static void decode(const Vector& column, size_t n, Place place, bool nullable) {
    const ListRows rows = listRows(column, n, nullable);
    const NestedReader reader(column);
    std::vector<std::pair<K, V>> entries(rows.elements.size());
    FieldTraits<K>::decode(*selectRows(reader.child(0), rows.elements), entries.size(), [&](size_t i) -> K& { return entries[i].first; }, false);
    FieldTraits<V>::decode(*selectRows(reader.child(1), rows.elements), entries.size(), [&](size_t i) -> V& { return entries[i].second; }, false);
    size_t next = 0;
    for (const auto& [row, length] : rows.extents) {
      Map& map = place(row);
      map.clear();
      for (size_t i = 0; i < length; ++i, ++next) map[std::move(entries[next].first)] = std::move(entries[next].second);
    }
  }
  static Value toValue(const Map& map) {
    std::vector<std::pair<Value, Value>> entries;
    for (const auto& [key, value] : map) entries.emplace_back(FieldTraits<K>::toValue(key), FieldTraits<V>::toValue(value));
    return Value::map(std::move(entries));
  }
  static Map fromValue(const Value& value, const DataType& type) {
    if (!std::holds_alternative<MapValue>(value.content())) refuseValue(type, "a map");
    Map map;
    for (const auto& [key, mapped] : value.asMap()) {
      map[FieldTraits<K>::fromValue(key, type.child(0))] = FieldTraits<V>::fromValue(mapped, type.child(1));
    }
    return map;
  }
  static void write(const Map& map, std::string& out) {
    writeNumber(out, static_cast<uint32_t>(map.size()));
    for (const auto& [key, value] : map) {
      FieldTraits<K>::write(key, out);
      FieldTraits<V>::write(value, out);
    }
  }
  static void read(ByteReader& in, Map& map) {
    const auto size = in.number<uint32_t>();
    map.clear();
    for (uint32_t i = 0; i < size; ++i) {
      K key{};
      FieldTraits<K>::read(in, key);
      FieldTraits<V>::read(in, map[std::move(key)]);
    }
  }
  static void text(const Map& map, std::string& out) {
    out += '{';
    bool first = true;
    for (const auto& [key, value] : map) {
      if (!std::exchange(first, false)) out += ", ";
      FieldTraits<K>::text(key, out);
      out += '=';
      FieldTraits<V>::text(value, out);
    }
    out += '}';
  }
};

template <Composite T>
struct FieldTraits<T> {
  static DataType type() {
    std::vector<Field> fields;
    forEachMember<T>([&](const char* name, auto member) { fields.push_back({name, FieldTraits<MemberOf<decltype(member), T>>::type()}); });
    return DataType::row(std::move(fields), false);
  }
  /// One column per member.
  template <typename Get>
  static std::vector<VectorPtr> encodeMembers(const DataType& type, size_t n, Get get) {
    std::vector<VectorPtr> columns;
    forEachMember<T>([&](const char*, auto member) {
      using F = MemberOf<decltype(member), T>;
      columns.push_back(FieldTraits<F>::encode(type.child(columns.size()), n, [&](size_t i) -> const F* {
        const T* object = get(i);
        return object != nullptr ? &member(*object) : nullptr;
      }));
    });
    return columns;
  }
  template <typename Get>
  static VectorPtr encode(const DataType& type, size_t n, Get get) {
    std::vector<uint8_t> nulls;
    for (size_t i = 0; i < n; ++i) {
      if (get(i) != nullptr) continue;
      nulls.resize(n);
      nulls[i] = 1;
    }
    return makeRowVector(type, n, encodeMembers(type, n, get), nulls);
  }
  template <typename Place>
  static void decodeMembers(std::span<const VectorPtr> columns, size_t n, Place place) {
    size_t at = 0;
    forEachMember<T>([&](const char*, auto member) {
      using F = MemberOf<decltype(member), T>;
      FieldTraits<F>::decode(*columns[at++], n, [&](size_t i) -> F& { return member(place(i)); }, false);
    });
  }
  template <typename Place>
  static void decode(const Vector& column, size_t n, Place place, bool nullable) {
    const PresentRows present = presentRows(column, n, nullable);
    std::vector<VectorPtr> children;
    for (size_t i = 0; i < column.type().childCount(); ++i) {
      VectorPtr child = rowField(column, i);
      children.push_back(present.all ? std::move(child) : selectRows(child, present.rows));
    }
    if (present.all && !nullable) {
      decodeMembers(children, n, place);
      return;
    }
    std::vector<T*> places;                      // once per row: the place of an optional makes its value anew
    if (present.all) {
      for (size_t i = 0; i < n; ++i) places.push_back(&place(i));
    } else {
      for (const RowIndex row : present.rows) places.push_back(&place(row));
    }
    decodeMembers(children, places.size(), [&](size_t i) -> T& { return *places[i]; });
  }
  static Value toValue(const T& object) {
    std::vector<Value> values;
    forEachMember<T>([&](const char*, auto member) { values.push_back(FieldTraits<MemberOf<decltype(member), T>>::toValue(member(object))); });
    return Value::row(std::move(values));
  }
  static T fromValue(const Value& value, const DataType& type) {
    if (!std::holds_alternative<RowValue>(value.content())) refuseValue(type, "a row");
    T object;
    size_t at = 0;
    forEachMember<T>([&](const char*, auto member) {
      member(object) = FieldTraits<MemberOf<decltype(member), T>>::fromValue(value.asRow().at(at), type.child(at));
      ++at;
    });
    return object;
  }
  static void write(const T& object, std::string& out) {
    forEachMember<T>([&](const char*, auto member) { FieldTraits<MemberOf<decltype(member), T>>::write(member(object), out); });
  }
  static void read(ByteReader& in, T& object) {
    forEachMember<T>([&](const char*, auto member) { FieldTraits<MemberOf<decltype(member), T>>::read(in, member(object)); });
  }
  /// What the type's own toString() or << gives; else `Order(ada, 3)` as a Scala case class prints, `(ada, 3)` for tuples.
  static void text(const T& object, std::string& out) {
    if constexpr (HasToString<T>) {
      out += object.toString();
    } else if constexpr (Streamable<T>) {
      std::ostringstream text;
      text << object;
      out += text.str();
    } else {
      if constexpr (Described<T>) out += typeName<T>();
      out += '(';
      bool first = true;
      forEachMember<T>([&](const char*, auto member) {
        if (!std::exchange(first, false)) out += ',';
        FieldTraits<MemberOf<decltype(member), T>>::text(member(object), out);
      });
      out += ')';
    }
  }
};

/// The text of any value, as print() shows it.
template <typename T>
std::string textOf(const T& value) {
  std::string text;
  FieldTraits<T>::text(value, text);
  return text;
}

}  // namespace thalweg::api
