// lvl for C#: documents over the flat interface of liblvl, and records as structs in the document's memory.
//
//     using (var doc = Document.Load("cliffs.wwd"))
//     {
//         ref var level = ref Wwd.Of(doc);
//         for (int i = 0; i < level.PlanesCount; i++)
//             WwdPlane.At(level.Planes, level.PlanesCount, i).ScrollX += 1;     // or Span: WwdPlane.Items(…)
//         doc.Save("new.wwd");
//     }
//
// Records and spans must not be used after Dispose. One thread at a time for each document. Needs a 64-bit process for records.
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;

namespace Lvl
{
    /// <summary>A call that failed. Findings is a JSON array with the reasons.</summary>
    public class LvlException : Exception
    {
        /// <summary>A number of lvl_status: 2 limit, 3 format, 4 foreign, 5 I/O, 6 argument, 7 loss, 8 missing, 9 unsupported.</summary>
        public int Status { get; }
        public string Findings { get; }

        internal LvlException(int status, string message, string findings) : base(message)
        {
            Status = status;
            Findings = findings;
        }
    }

    public sealed class Document : IDisposable
    {
        private IntPtr handle;
        private static bool sizesChecked;

        /// <summary>The findings of reading, or of the call that made it: a JSON array.</summary>
        public string Findings { get; }

        private struct Answer
        {
            public byte[] Data;
            public string Findings;
            public ulong Count;
            public IntPtr Doc;
        }

        private Document(Answer answer)
        {
            handle = answer.Doc;
            Findings = answer.Findings;
        }

        private static byte[] Copy(IntPtr at, UIntPtr len)
        {
            var bytes = new byte[(int)len];
            if (bytes.Length > 0)
                Marshal.Copy(at, bytes, 0, bytes.Length);
            return bytes;
        }

        private static string Utf8(IntPtr text)
        {
            int len = 0;
            while (Marshal.ReadByte(text, len) != 0)
                len++;
            return Encoding.UTF8.GetString(Copy(text, (UIntPtr)(uint)len));
        }

        private static Answer Take(IntPtr result)
        {
            if (result == IntPtr.Zero)
                throw new OutOfMemoryException();
            try
            {
                var r = Marshal.PtrToStructure<Result>(result);
                var findings = Encoding.UTF8.GetString(Copy(r.Findings, r.FindingsLen));
                if (r.Status != 0)
                    throw new LvlException(r.Status, Utf8(r.Message), findings);
                return new Answer { Data = Copy(r.Data, r.Len), Findings = findings, Count = r.Count, Doc = r.Doc };
            }
            finally
            {
                Native.lvl_abi_result_free(result);
            }
        }

        private static byte[] Text(string text)
        {
            if (text.IndexOf('\0') >= 0)
                throw new ArgumentException("a text with a NUL");
            return Encoding.UTF8.GetBytes(text + "\0");
        }

        private static byte[] Texts(IEnumerable<string> list)
        {
            var all = new StringBuilder();
            foreach (var one in list)
            {
                if (one.Length == 0 || one.IndexOf('\0') >= 0)
                    throw new ArgumentException("expected texts that are not empty and have no NUL");
                all.Append(one).Append('\0');
            }
            return Encoding.UTF8.GetBytes(all.Append('\0').ToString());
        }

        private IntPtr Handle => handle != IntPtr.Zero ? handle : throw new ObjectDisposedException("Document");

        /// <summary>Opens a file, or a member of an archive. Options: "profile=strict", …</summary>
        public static Document Load(string path, params string[] options) =>
            new Document(Take(Native.lvl_abi_load(Text(path), Texts(options))));

        /// <summary>Opens bytes; the name is the file's, for probing.</summary>
        public static Document Read(byte[] bytes, string name, params string[] options) =>
            new Document(Take(Native.lvl_abi_open(bytes, (UIntPtr)(uint)bytes.Length, Text(name), Texts(options))));

        public string Format => Utf8(Native.lvl_abi_format(Handle));

        public byte[] ToBytes(params string[] options) => Take(Native.lvl_abi_write(Handle, Texts(options))).Data;

        public void Save(string path, params string[] options) => Take(Native.lvl_abi_save(Handle, Text(path), Texts(options)));

        /// <summary>The values that match a path, one a line.</summary>
        public string Get(string path) =>
            Encoding.UTF8.GetString(Take(Native.lvl_abi_get(Handle, Text(path), Texts(new string[0]))).Data);

        /// <summary>Applies assignments "path=value", all or none; how many values were assigned.</summary>
        public ulong Set(params string[] assignments) => Take(Native.lvl_abi_set(Handle, Texts(assignments))).Count;

        public string Dump(params string[] options) =>
            Encoding.UTF8.GetString(Take(Native.lvl_abi_dump(Handle, Texts(options))).Data);

        /// <summary>One line of JSON: verdict and findings.</summary>
        public string Check(params string[] options) =>
            Encoding.UTF8.GetString(Take(Native.lvl_abi_check(Handle, Texts(options))).Data);

        /// <summary>A PNG. Options: "size=300", "schematic=1", "art=FOLDER", …</summary>
        public byte[] Render(params string[] options) => Take(Native.lvl_abi_render(Handle, Texts(options))).Data;

        /// <summary>Another form; Findings of the new document are the losses. Options: "allow_loss=1", …</summary>
        public Document Convert(string form, params string[] options) =>
            new Document(Take(Native.lvl_abi_convert(Handle, Text(form), Texts(options))));

        public string Diff(Document other) =>
            Encoding.UTF8.GetString(Take(Native.lvl_abi_diff(Handle, other.Handle, Texts(new string[0]))).Data);

        private static void CheckSizes()
        {
            if (sizesChecked)
                return;
            foreach (var one in Sizes.All)
            {
                var layout = Encoding.UTF8.GetString(Take(Native.lvl_abi_layout(Text(one.Format))).Data);
                if (!layout.Contains("\"" + one.Table + "\":{\"size\":" + one.Size + ","))
                    throw new NotSupportedException("the library has other structs than this assembly, or the process has 32 bits");
            }
            sizesChecked = true;
        }

        /// <summary>The address of the root record: Wwd.Of(doc) is the record itself.</summary>
        public IntPtr Root(params string[] formats)
        {
            CheckSizes();
            if (Array.IndexOf(formats, Format) < 0)
                throw new InvalidCastException("the document's format is " + Format);
            return Native.lvl_abi_root(Handle);
        }

        /// <summary>The bytes of a text as Latin text: use the document's code page for other characters.</summary>
        public static string TextOf(TextView text) => Encoding.GetEncoding("iso-8859-1").GetString(Copy(text.Ptr, text.Len));

        public void Dispose()
        {
            Native.lvl_abi_close(handle);
            handle = IntPtr.Zero;
            GC.SuppressFinalize(this);
        }

        ~Document()
        {
            Native.lvl_abi_close(handle);
        }
    }
}
